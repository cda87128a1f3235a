//! Who calls: the owner or a service token by Cloudflare Access, the developer on their own machine, an app by its
//! access token. Keys to check signatures with are kept in the isolate and fetched when [`KeyCache`] says so.

use std::cell::RefCell;
use std::thread::LocalKey;

use worker::Env;

use crate::access::assertion::{self, Identity};
use crate::access::config::{AccessSettings, Config, SignIn};
use crate::access::dev_owner;
use crate::access::host::Site;
use crate::access::keys::{KEY_SET_BYTES, KeyCache, KeySet, Plan};
use crate::api::challenge::Refusal;
use crate::api::routes::Who;
use crate::cloudflare::clock::PlatformClock;
use crate::cloudflare::forward;
use crate::cloudflare::headers::ClientHeaders;
use crate::cloudflare::internet::PlatformInternet;
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::Actor;
use crate::model::scope::Scopes;
use crate::oauth::access_token::{self, Claims};
use crate::oauth::challenge::{self, Reason};
use crate::oauth::checked_tokens::{Checked, CheckedTokens};
use crate::ports::{Clock as _, Fetch as _, FetchRequest};

thread_local! {
    static TEAM_KEYS: RefCell<KeyCache> = RefCell::default();
    static VAULT_KEYS: RefCell<KeyCache> = RefCell::default();
    static CHECKED: RefCell<CheckedTokens> = RefCell::default();
}

/// The owner, or a service token where the route takes one.
///
/// # Errors
/// `unauthenticated` when no sign-in is set up, `forbidden` when Access did not sign this caller in.
pub async fn owner(
    who: Who,
    config: &Config,
    site: &Site,
    headers: &ClientHeaders,
) -> Result<Actor> {
    match config.sign_in() {
        SignIn::Access(settings) => by_access(who, &settings, headers).await,
        SignIn::Incomplete(faults) => {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            let message = format!(
                "the sign-in is only half configured, so nobody is let in: {}",
                faults.join("; ")
            );
            Err(Error::new(Kind::Unauthenticated, message))
        }
        SignIn::Off => {
            dev_owner::dev_owner(config, site, headers.names()).ok_or_else(|| {
                Error::new(
                    Kind::Unauthenticated,
                    "nobody is signed in: set ACCESS_TEAM_DOMAIN, ACCESS_AUD, ACCESS_ALLOWED_EMAILS and PUBLIC_URL, or on your own machine DEV_OWNER_EMAIL, which works without a proxy in between",
                )
            })
        }
    }
}

async fn by_access(who: Who, settings: &AccessSettings, headers: &ClientHeaders) -> Result<Actor> {
    let (given, cookie) = (headers.get(assertion::HEADER), headers.get("cookie"));
    let assertion = assertion::from_headers(given, cookie).ok_or(assertion::Denial::Missing)?;
    let kid = assertion::key_id(assertion)?;
    let now = PlatformClock::default().now_millis();
    if plan(&TEAM_KEYS, &kid, now) == Plan::FetchFirst {
        fetched(&TEAM_KEYS, team_keys(&settings.certs_url()).await, now);
    }
    let identity = TEAM_KEYS
        .with_borrow(|keys| assertion::verify(assertion, keys, settings, now.div_euclid(1_000)))?;
    match identity {
        Identity::Person { email } => Ok(Actor::Owner { email }),
        Identity::Service { .. } if who == Who::Person => Err(Error::new(
            Kind::Forbidden,
            "only the owner in person may do this, not a service token",
        )),
        Identity::Service { common_name, role } => Ok(Actor::Service {
            name: common_name,
            role,
        }),
    }
}

async fn team_keys(url: &str) -> Option<KeySet> {
    let request = FetchRequest {
        url,
        headers: &[("Accept", "application/json")],
        body_bytes: KEY_SET_BYTES,
        milliseconds: limits::DOCUMENT_MILLISECONDS,
    };
    let answer = PlatformInternet.get(request).await.ok()?;
    parse(answer.status, &answer.body)
}

/// The app that an access token was given to. Whether its grant still holds is the vault's to say.
pub async fn agent(
    env: &Env,
    site: &Site,
    headers: &ClientHeaders,
) -> worker::Result<std::result::Result<Actor, Refusal>> {
    let Some(authorization) = headers.get("authorization") else {
        return Ok(Err(Refusal::FirstContact));
    };
    let token = match challenge::bearer(authorization) {
        Ok(token) => token,
        Err(reason) => return Ok(Err(Refusal::Because(reason))),
    };
    let invalid = Ok(Err(Refusal::Because(Reason::InvalidToken)));
    // The header that names the key is part of what is signed.
    let checked = CHECKED.with_borrow(|checked| checked.get(token));
    let kid = match &checked {
        Some(checked) => Some(checked.key_id.clone()),
        None => access_token::key_id(token),
    };
    let Some(kid) = kid else {
        return invalid;
    };
    let now = PlatformClock::default().now_millis();
    if plan(&VAULT_KEYS, &kid, now) == Plan::FetchFirst {
        let mut answer = forward::ask(env, "/.well-known/jwks.json", site).await?;
        let set = parse(answer.status_code(), &answer.bytes().await?);
        fetched(&VAULT_KEYS, set, now);
    }
    let claims = signed_claims(kid, token, checked)
        .filter(|claims| access_token::holds(claims, &site.origin, now.div_euclid(1_000)));
    let Some(claims) = claims else {
        return invalid;
    };
    Ok(Ok(Actor::Agent {
        client: String::new(),
        grant: claims.grant,
        token: claims.jti,
        scopes: Scopes::parse(&claims.scope),
    }))
}

/// What a token says, if a key that is published now signed it. One that was checked before needs only that its key is still
/// there.
fn signed_claims(key_id: String, token: &str, checked: Option<Checked>) -> Option<Claims> {
    VAULT_KEYS.with_borrow(|keys| {
        let key = keys.get(&key_id)?;
        if let Some(checked) = checked {
            return Some(checked.claims);
        }
        let claims = key.claims::<Claims>(token).ok()?;
        let checked = Checked { key_id, claims };
        CHECKED.with_borrow_mut(|kept| kept.keep(token, &checked));
        Some(checked.claims)
    })
}

fn plan(cache: &'static LocalKey<RefCell<KeyCache>>, kid: &str, now: i64) -> Plan {
    cache.with_borrow_mut(|keys| {
        let plan = keys.plan(kid, now);
        if plan == Plan::FetchFirst {
            keys.fetch_started(now);
        }
        plan
    })
}

fn fetched(cache: &'static LocalKey<RefCell<KeyCache>>, set: Option<KeySet>, now: i64) {
    cache.with_borrow_mut(|keys| match set {
        Some(set) => keys.fetched(set, now),
        None => keys.fetch_failed(now),
    });
}

fn parse(status: u16, body: &[u8]) -> Option<KeySet> {
    let text = std::str::from_utf8(body).ok().filter(|_| status == 200)?;
    KeySet::parse(text).ok()
}
