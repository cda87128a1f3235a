//! What the tables `oauth_tokens` and `oauth_grants` say of an app's call, in one statement: it is asked at every one.

use crate::error::Result;
use crate::model::scope::Scopes;
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

/// A call with a token that is good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admission {
    /// What the app is called.
    pub client_name: String,
    /// What the token is for, as far as the grant still reaches.
    pub scopes: Scopes,
    /// Whether the token was used before.
    pub seen: bool,
    /// When the app last did something, as far as it was noted.
    pub last_used_at: Option<Timestamp>,
}

/// Looks an access token and its grant up; `None` when either is over, revoked or gone, or they do not belong together.
pub fn find(sql: &dyn Sql, token: &str, grant: &str, now: Timestamp) -> Result<Option<Admission>> {
    let row = sql.first(
        "SELECT g.client_name, g.scopes, t.scopes, t.seen_at IS NOT NULL, g.last_used_at \
         FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id \
         WHERE t.id = ?1 AND g.id = ?2 AND t.revoked_at IS NULL AND t.access_expires_at > ?3 AND g.expires_at > ?3",
        &[token.into(), grant.into(), now.millis().into()],
    )?;
    let read = |row: Row| {
        Ok(Admission {
            client_name: row.text(0)?,
            scopes: Scopes::parse(&row.text(2)?).within(Scopes::parse(&row.text(1)?)),
            seen: row.integer(3)? != 0,
            last_used_at: row.integer_or_null(4)?.map(Timestamp::from_millis),
        })
    };
    row.map(read).transpose()
}
