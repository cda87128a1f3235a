//! The deployment's settings, as the environment gives them, and whether they add up to a sign-in.
//!
//! Half a sign-in is none: with any Access setting present and a needed one missing or malformed, [`Config::sign_in`] is
//! [`SignIn::Incomplete`] and the owner's doors stay closed. A fault names the setting and never shows its value.

mod access_settings;

pub use access_settings::{AccessSettings, Fault, ServiceToken, SettingFault, SignIn};

/// Everything the edge knows beside the request. An empty variable counts as absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// `PUBLIC_URL`: the address people type, for example `https://vault.example.org`.
    pub public_url: Option<String>,
    /// `DEV_OWNER_EMAIL`: who is signed in on this very machine during development.
    pub dev_owner_email: Option<String>,
    /// Whether any of `ACCESS_TEAM_DOMAIN`, `ACCESS_AUD`, `ACCESS_ALLOWED_EMAILS`, `ACCESS_SERVICE_TOKENS` is set.
    pub any_access_setting: bool,
    /// `ACCESS_TEAM_DOMAIN`, as given.
    pub team_domain: Option<String>,
    /// `ACCESS_AUD`, as given.
    pub audience: Option<String>,
    /// `ACCESS_ALLOWED_EMAILS`, as given.
    pub allowed_emails: Option<String>,
    /// `ACCESS_SERVICE_TOKENS`, as given.
    pub service_tokens: Option<String>,
}

/// The names of the Access settings.
pub const ACCESS_SETTINGS: [&str; 4] = [
    "ACCESS_TEAM_DOMAIN",
    "ACCESS_AUD",
    "ACCESS_ALLOWED_EMAILS",
    "ACCESS_SERVICE_TOKENS",
];

impl Config {
    /// Reads the settings through `variable`, which gives a variable's value by name.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Self {
        let given = |name: &str| {
            variable(name)
                .map(|value| value.trim().to_owned())
                .filter(|value| !value.is_empty())
        };
        let [team_domain, audience, allowed_emails, service_tokens] = ACCESS_SETTINGS.map(given);
        Config {
            public_url: given("PUBLIC_URL").map(|url| url.trim_end_matches('/').to_owned()),
            dev_owner_email: given("DEV_OWNER_EMAIL"),
            any_access_setting: [&team_domain, &audience, &allowed_emails, &service_tokens]
                .iter()
                .any(|value| value.is_some()),
            team_domain,
            audience,
            allowed_emails,
            service_tokens,
        }
    }

    /// Whether and how people sign in through Cloudflare Access.
    pub fn sign_in(&self) -> SignIn {
        access_settings::sign_in(self)
    }

    /// Where a person who signed in through Access signs out; none where Access is not set up.
    pub fn sign_out_url(&self) -> Option<String> {
        match self.sign_in() {
            SignIn::Access(settings) => Some(settings.sign_out_url()),
            SignIn::Off | SignIn::Incomplete(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
