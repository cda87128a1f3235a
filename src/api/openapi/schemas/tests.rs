//! Tests of the schemas.

use super::*;
use crate::api::routes::ROUTES;

#[test]
fn every_query_parameter_of_a_route_is_described() {
    for name in ROUTES.iter().flat_map(|route| route.doc.query) {
        assert_ne!(query_parameter(name)["description"], "", "{name}");
    }
}
