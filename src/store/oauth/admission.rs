//! What the tables `oauth_tokens` and `oauth_grants` say of an app's call, in one statement: it is asked at every one.

use crate::error::{Error, Result};
use crate::model::scope::Scopes;
use crate::model::time::Timestamp;
use crate::ports::Sql;

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
    // Not a join: the platform plans one anew in every transaction, which takes ten times as long as finding two rows.
    let row = sql.first(
        "SELECT scopes, seen_at IS NOT NULL, \
         (SELECT json_array(client_name, scopes, last_used_at) FROM oauth_grants WHERE id = ?2 AND expires_at > ?3) \
         FROM oauth_tokens WHERE id = ?1 AND grant_id = ?2 AND revoked_at IS NULL AND access_expires_at > ?3",
        &[token.into(), grant.into(), now.millis().into()],
    )?;
    let Some(row) = row else {
        return Ok(None);
    };
    let Some(grant) = row.text_or_null(2)? else {
        return Ok(None);
    };
    let (client_name, reach, last_used_at): (String, String, Option<i64>) =
        serde_json::from_str(&grant)
            .map_err(|_| Error::internal("a grant read as JSON is not readable"))?;
    Ok(Some(Admission {
        client_name,
        scopes: Scopes::parse(&row.text(0)?).within(Scopes::parse(&reach)),
        seen: row.integer(1)? != 0,
        last_used_at: last_used_at.map(Timestamp::from_millis),
    }))
}
