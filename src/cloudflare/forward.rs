//! The inner hop from edge to object: what the edge has verified and what the vault may read of the client's headers, in one header
//! that no client can set, since the edge passes on no other.

use std::cell::OnceCell;
use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use js_sys::{Function, Reflect};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use worker::{Env, Error, Headers, ObjectNamespace, Response, Result, web_sys};

use crate::access::host::Site;
use crate::api::authorize;
use crate::cloudflare::headers::ClientHeaders;
use crate::model::actor::Actor;

/// The binding of the Durable Object's namespace.
const NAMESPACE: &str = "VAULT";
/// The object's name unless `VAULT_NAME` gives another.
const DEFAULT_NAME: &str = "personal";

/// Where Cloudflare can be told to keep an object for good.
const JURISDICTIONS: [&str; 2] = ["eu", "fedramp"];

/// The one header of the inner request, a [`Passed`] as JSON in base64url. Each header costs a call into the platform at both ends.
const PASSED: &str = "x-vault-passed";
/// What stands for the address on one's own machine.
const OWN_MACHINE: &str = "loopback";
/// Longest value of the cookie that is passed on; ours are shorter.
const BROWSER_CHARS: usize = 100;

/// What the vault may read of the client's own headers.
const READABLE: [&str; 10] = [
    "content-type",
    "accept",
    "user-agent",
    "idempotency-key",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "sec-fetch-mode",
    "sec-fetch-dest",
    "origin",
];

/// What the vault learns of a request beside its method, address and body.
#[derive(Debug, Serialize, Deserialize)]
pub struct Passed {
    /// The verified caller, unless anyone may call.
    pub actor: Option<Actor>,
    /// The request's id.
    pub request_id: String,
    /// Our own origin.
    pub base_url: String,
    /// The caller's address, for counting.
    pub address: String,
    /// The cookie that binds a consent form to its browser: the only cookie that goes further than the edge.
    pub browser: Option<String>,
    /// How many bytes the client said its body has. The platform lets no more through, and breaks off at fewer.
    pub body_bytes: Option<usize>,
    /// The client's own headers, by their names in lower case.
    pub headers: Vec<(String, String)>,
}

/// What the edge knows of a request it forwards.
#[derive(Debug, Clone, Copy)]
pub struct Verified<'a> {
    /// The caller, unless anyone may call.
    pub actor: Option<&'a Actor>,
    /// The request's id.
    pub request_id: &'a str,
    /// Which site it is for.
    pub site: &'a Site,
}

/// The headers of the inner request. A client's own credentials at the token endpoint are for the vault to check, so
/// `Authorization` goes along where anyone may call, and nowhere else.
pub fn headers(client: &ClientHeaders, verified: Verified<'_>) -> Result<Headers> {
    let credentials = verified.actor.is_none().then_some("authorization");
    let mut passed = Passed {
        actor: verified.actor.cloned(),
        request_id: verified.request_id.to_owned(),
        base_url: verified.site.origin.clone(),
        address: address(client, verified.site),
        browser: browser(client, &verified.site.origin),
        body_bytes: body_bytes(
            client.get("content-length"),
            client.get("transfer-encoding").is_some(),
        ),
        headers: Vec::new(),
    };
    for name in READABLE.into_iter().chain(credentials) {
        if let Some(value) = client.get(name) {
            passed.headers.push((name.to_owned(), value.to_owned()));
        }
    }
    let headers = Headers::new();
    headers.set(
        PASSED,
        &URL_SAFE_NO_PAD.encode(serde_json::to_vec(&passed)?),
    )?;
    Ok(headers)
}

/// How long a body is by its headers. In chunks it may have any length, whatever else is said of it (RFC 9112 §6.3).
fn body_bytes(content_length: Option<&str>, in_chunks: bool) -> Option<usize> {
    content_length
        .filter(|_| !in_chunks)
        .and_then(|length| length.parse().ok())
}

/// What [`headers`] passed on.
pub fn passed(inner: &Headers) -> Result<Passed> {
    let unreadable = || Error::RustError("what the edge passed on is not readable".into());
    let text = inner.get(PASSED)?.ok_or_else(unreadable)?;
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| unreadable())?;
    serde_json::from_slice(&bytes).map_err(|_| unreadable())
}

/// Where the caller comes from. Cloudflare sets the header itself; on one's own machine anybody could.
fn address(client: &ClientHeaders, site: &Site) -> String {
    let given = client.get("cf-connecting-ip").filter(|_| !site.loopback);
    given.unwrap_or(OWN_MACHINE).to_owned()
}

fn browser(client: &ClientHeaders, origin: &str) -> Option<String> {
    let cookies = client.get("cookie")?;
    let name = authorize::browser_cookie(origin);
    let ours = cookies
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value.trim().to_owned());
    let plain = |value: &String| {
        (1..=BROWSER_CHARS).contains(&value.len())
            && value
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    ours.filter(plain)
}

#[wasm_bindgen]
extern "C" {
    /// A stub, whose answers the worker crate would take apart.
    type Stub;

    #[wasm_bindgen(method, catch)]
    fn fetch(
        this: &Stub,
        request: &web_sys::Request,
    ) -> std::result::Result<js_sys::Promise, JsValue>;

    /// A namespace, for its stub.
    type Namespace;

    #[wasm_bindgen(method, catch, js_name = getByName)]
    fn get_by_name(this: &Namespace, name: &str) -> std::result::Result<Stub, JsValue>;
}

/// The vault's answer to a request.
pub async fn fetch(
    env: &Env,
    site: &Site,
    request: &web_sys::Request,
) -> Result<web_sys::Response> {
    let answer = JsFuture::from(vault(env, site)?.fetch(request)?).await?;
    Ok(answer.dyn_into()?)
}

/// The one vault, in the jurisdiction that `VAULT_JURISDICTION` names. workerd on one's own machine has no jurisdictions,
/// so there the setting is only checked.
fn vault(env: &Env, site: &Site) -> Result<Stub> {
    let (name, jurisdiction) = &*place(env);
    let all = env.durable_object(NAMESPACE)?;
    let namespace = match jurisdiction {
        None => all,
        Some(place) if !JURISDICTIONS.contains(&place.as_str()) => {
            return Err(Error::RustError(
                "VAULT_JURISDICTION must be eu or fedramp, or not be set".into(),
            ));
        }
        Some(_) if site.loopback => all,
        Some(place) => within(&all, place)?,
    };
    let namespace: &JsValue = namespace.as_ref();
    Ok(namespace.unchecked_ref::<Namespace>().get_by_name(name)?)
}

/// The object's name, and the jurisdiction it is kept in.
type Place = (String, Option<String>);

thread_local! {
    static PLACE: OnceCell<Rc<Place>> = const { OnceCell::new() };
}

/// Where the vault is. It is read once: a deployment with other settings runs in other isolates.
fn place(env: &Env) -> Rc<Place> {
    let variable = |name: &str| {
        let value = env.var(name).map(|value| value.to_string()).ok()?;
        Some(value.trim().to_owned()).filter(|value| !value.is_empty())
    };
    let read = || {
        let name = variable("VAULT_NAME").unwrap_or_else(|| DEFAULT_NAME.to_owned());
        Rc::new((name, variable("VAULT_JURISDICTION")))
    };
    PLACE.with(|place| Rc::clone(place.get_or_init(read)))
}

/// The namespace restricted to a jurisdiction, which the worker crate does not wrap.
fn within(namespace: &ObjectNamespace, jurisdiction: &str) -> Result<ObjectNamespace> {
    let namespace: &JsValue = namespace.as_ref();
    let restrict: Function = Reflect::get(namespace, &"jurisdiction".into())?.dyn_into()?;
    let restricted = restrict.call1(namespace, &jurisdiction.into())?;
    Ok(ObjectNamespace::unchecked_from_js(restricted))
}

/// The edge's own question to the vault, on a route that is open to anyone.
pub async fn ask(env: &Env, path: &str, site: &Site) -> Result<Response> {
    let nobody = Verified {
        actor: None,
        request_id: "edge",
        site,
    };
    let init = web_sys::RequestInit::new();
    init.set_headers(headers(&ClientHeaders::default(), nobody)?.as_ref());
    let url = format!("{}{path}", site.origin);
    let request = web_sys::Request::new_with_str_and_init(&url, &init)?;
    Ok(fetch(env, site, &request).await?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_length_that_the_platform_holds_a_client_to_is_believed() {
        assert_eq!(body_bytes(Some("24"), false), Some(24));
        for (content_length, in_chunks) in [
            (Some("24"), true),
            (None, true),
            (None, false),
            (Some("-1"), false),
            (Some("2, 2"), false),
        ] {
            assert_eq!(
                body_bytes(content_length, in_chunks),
                None,
                "{content_length:?}"
            );
        }
    }
}
