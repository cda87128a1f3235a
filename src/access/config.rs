//! The deployment's settings, as the environment gives them.

/// Everything the edge knows beside the request. An empty variable counts as absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// `PUBLIC_URL`: the address people type, for example `https://vault.example.org`.
    pub public_url: Option<String>,
    /// `DEV_OWNER_EMAIL`: who is signed in on this very machine during development.
    pub dev_owner_email: Option<String>,
    /// Whether any of `ACCESS_TEAM_DOMAIN`, `ACCESS_AUD`, `ACCESS_ALLOWED_EMAILS`, `ACCESS_SERVICE_TOKENS` is set.
    pub any_access_setting: bool,
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
        Config {
            public_url: given("PUBLIC_URL").map(|url| url.trim_end_matches('/').to_owned()),
            dev_owner_email: given("DEV_OWNER_EMAIL"),
            any_access_setting: ACCESS_SETTINGS.iter().any(|name| given(name).is_some()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_counts_as_absent() {
        let config = Config::read(|name| match name {
            "PUBLIC_URL" => Some("https://vault.example.org/".into()),
            "ACCESS_AUD" => Some("  ".into()),
            _ => None,
        });
        let expected = Config {
            public_url: Some("https://vault.example.org".into()),
            ..Config::default()
        };
        assert_eq!(config, expected);
    }
}
