//! What clients send to the token and revocation endpoints: form fields, each at most once, and perhaps a Basic header.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::oauth::error::OAuthError;

/// Fields of an `application/x-www-form-urlencoded` body or of a query string.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Reads a body.
    ///
    /// # Errors
    /// `invalid_request` for another media type, for bytes that are no UTF-8, and for a field given twice
    /// (RFC 6749 section 3.2), except a `resource` that repeats the same value, which some clients send.
    pub fn read(content_type: Option<&str>, body: &[u8]) -> Result<Self, OAuthError> {
        let media_type = content_type
            .and_then(|value| value.split(';').next())
            .map(str::trim)
            .unwrap_or_default();
        if !media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(OAuthError::invalid_request(
                "send the parameters as application/x-www-form-urlencoded",
            ));
        }
        let text = std::str::from_utf8(body)
            .map_err(|_| OAuthError::invalid_request("the body is not UTF-8"))?;
        Self::of(
            url::form_urlencoded::parse(text.as_bytes())
                .into_owned()
                .collect(),
        )
    }

    /// Takes decoded fields, by the same rule.
    ///
    /// # Errors
    /// `invalid_request` for a field given twice.
    pub fn of(pairs: Vec<(String, String)>) -> Result<Self, OAuthError> {
        let mut fields: Vec<(String, String)> = Vec::with_capacity(pairs.len());
        // What we do not read is not kept, so that a body of thousands of names costs nothing.
        let read = pairs
            .into_iter()
            .filter(|(name, _)| KNOWN.contains(&name.as_str()));
        for (name, value) in read {
            match fields.iter().find(|(known, _)| *known == name) {
                None => fields.push((name, value)),
                Some((_, known)) if name == "resource" && *known == value => {}
                Some(_) if KNOWN.contains(&name.as_str()) => {
                    return Err(OAuthError::invalid_request(format!(
                        "{name} is given twice"
                    )));
                }
                Some(_) => {}
            }
        }
        Ok(Form(fields))
    }

    /// A field's value; an empty one counts as absent (RFC 6749 section 3.1).
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// The same for one that must be there.
    ///
    /// # Errors
    /// `invalid_request`.
    pub fn need(&self, name: &'static str) -> Result<&str, OAuthError> {
        self.get(name)
            .ok_or_else(|| OAuthError::invalid_request(format!("{name} is missing")))
    }
}

/// The parameters we read; others may come as often as they like.
const KNOWN: [&str; 17] = [
    "grant_type",
    "code",
    "redirect_uri",
    "client_id",
    "client_secret",
    "code_verifier",
    "refresh_token",
    "scope",
    "resource",
    "token",
    "token_type_hint",
    "response_type",
    "response_mode",
    "state",
    "code_challenge",
    "code_challenge_method",
    "request",
];

/// What a client says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The client id.
    pub client_id: String,
    /// Its secret, if it sent one.
    pub secret: Option<String>,
    /// Whether they came in the header.
    pub basic: bool,
}

/// Reads the client's credentials from the `Authorization: Basic` header (its parts form-encoded, RFC 6749 section
/// 2.3.1) or from the form.
///
/// # Errors
/// `invalid_client` when the header is malformed or there is no client id; `invalid_request` when both ways are used at once.
pub fn credentials(authorization: Option<&str>, form: &Form) -> Result<Credentials, OAuthError> {
    let Some(authorization) = authorization else {
        let client_id = form
            .get("client_id")
            .ok_or_else(|| OAuthError::invalid_client("client_id is missing"))?;
        return Ok(Credentials {
            client_id: client_id.to_owned(),
            secret: form.get("client_secret").map(str::to_owned),
            basic: false,
        });
    };
    let malformed = || {
        OAuthError::invalid_client("the Authorization header is not Basic and base64 of id:secret")
    };
    let (scheme, encoded) = authorization.trim().split_once(' ').ok_or_else(malformed)?;
    if !scheme.eq_ignore_ascii_case("Basic") {
        return Err(malformed());
    }
    let decoded = STANDARD.decode(encoded.trim()).map_err(|_| malformed())?;
    let decoded = String::from_utf8(decoded).map_err(|_| malformed())?;
    let (id, secret) = decoded.split_once(':').ok_or_else(malformed)?;
    let (id, secret) = (
        form_decode(id).ok_or_else(malformed)?,
        form_decode(secret).ok_or_else(malformed)?,
    );
    if form.get("client_secret").is_some() || form.get("client_id").is_some_and(|given| given != id)
    {
        return Err(OAuthError::invalid_request(
            "send the client's credentials in the header or in the body, not in both",
        ));
    }
    Ok(Credentials {
        client_id: id,
        secret: Some(secret).filter(|secret| !secret.is_empty()),
        basic: true,
    })
}

/// One form-encoded value; `None` when a `%` is not followed by two hexadecimal digits or the bytes are no UTF-8.
fn form_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
                u8::try_from(high * 16 + low).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: Option<&str> = Some("application/x-www-form-urlencoded; charset=utf-8");

    fn read(body: &str) -> Result<Form, OAuthError> {
        Form::read(FORM, body.as_bytes())
    }

    #[test]
    fn fields_are_decoded_and_empty_ones_are_absent() {
        let form = read("code=a%2Bb+c&scope=").unwrap();
        assert_eq!((form.get("code"), form.get("scope")), (Some("a+b c"), None));
    }

    #[test]
    fn a_field_may_come_once() {
        assert_eq!(read("code=a&code=a").unwrap_err().code, "invalid_request");
        assert!(read("resource=x&resource=x&utm=1&utm=2").is_ok());
        assert!(read("resource=x&resource=y").is_err());
    }

    #[test]
    fn names_that_mean_nothing_are_not_kept() {
        let body: String = (0..10_000).map(|number| format!("n{number}=x&")).collect();
        assert_eq!(read(&body).unwrap(), Form::default());
    }

    #[test]
    fn only_forms_are_read() {
        for media_type in [
            None,
            Some("application/json"),
            Some("application/x-www-form-urlencodedx"),
            Some("text/plain"),
        ] {
            assert_eq!(
                Form::read(media_type, b"code=a").unwrap_err().code,
                "invalid_request",
                "{media_type:?}"
            );
        }
        assert!(Form::read(FORM, b"code=\xff").is_err());
    }

    fn basic(pair: &str) -> String {
        format!("Basic {}", STANDARD.encode(pair))
    }

    #[test]
    fn credentials_come_in_the_header_or_in_the_body() {
        let header = credentials(Some(&basic("my%3Aapp:s%2B+e")), &Form::default()).unwrap();
        assert_eq!(
            (header.client_id.as_str(), header.secret.as_deref()),
            ("my:app", Some("s+ e"))
        );
        let body = credentials(None, &read("client_id=app&client_secret=s").unwrap()).unwrap();
        assert_eq!(
            (body.client_id.as_str(), body.secret.as_deref(), body.basic),
            ("app", Some("s"), false)
        );
        let public = credentials(None, &read("client_id=app&client_secret=").unwrap()).unwrap();
        assert_eq!(public.secret, None);
    }

    #[test]
    fn a_broken_header_is_an_invalid_client() {
        for header in [
            "Basic",
            "Basic !!!",
            "Bearer abc",
            &basic("nocolon"),
            &basic("a%2:b"),
            &basic("a%ff:b"),
            "Basic /w==",
        ] {
            assert_eq!(
                credentials(Some(header), &Form::default())
                    .unwrap_err()
                    .code,
                "invalid_client",
                "{header}"
            );
        }
        assert_eq!(credentials(None, &Form::default()).unwrap_err().status, 401);
    }

    #[test]
    fn both_ways_at_once_are_refused() {
        let header = basic("app:s");
        for body in ["client_secret=s", "client_id=other"] {
            assert_eq!(
                credentials(Some(&header), &read(body).unwrap())
                    .unwrap_err()
                    .code,
                "invalid_request",
                "{body}"
            );
        }
        assert!(credentials(Some(&header), &read("client_id=app").unwrap()).is_ok());
    }
}
