//! The resource that tokens are for (RFC 8707): this vault's MCP endpoint, and nothing else.

/// The endpoint's path.
pub const MCP_PATH: &str = "/mcp";

/// The endpoint's address, which is also every token's audience.
pub fn of(origin: &str) -> String {
    format!("{origin}{MCP_PATH}")
}

/// Whether a `resource` parameter means this vault. Clients spell it as the endpoint or as the bare origin, with or
/// without a slash at the end; scheme and host in any case.
pub fn is_ours(resource: &str, origin: &str) -> bool {
    let Some((scheme, rest)) = resource.split_once("://") else {
        return false;
    };
    let host_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let Some((host, path)) = rest.split_at_checked(host_end) else {
        return false;
    };
    format!("{scheme}://{host}").eq_ignore_ascii_case(origin)
        && matches!(path, "" | "/" | "/mcp" | "/mcp/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_that_clients_use_is_taken() {
        for resource in [
            "https://vault.example.org/mcp",
            "https://vault.example.org/mcp/",
            "https://vault.example.org",
            "https://vault.example.org/",
            "HTTPS://Vault.Example.Org/mcp",
        ] {
            assert!(is_ours(resource, "https://vault.example.org"), "{resource}");
        }
    }

    #[test]
    fn another_audience_is_refused() {
        for resource in [
            "",
            "https://evil.test",
            "https://vault.example.org.evil.test/mcp",
            "http://vault.example.org/mcp",
            "https://vault.example.org:8443/mcp",
            "https://user@vault.example.org/mcp",
            "https://vault.example.org/MCP",
            "https://vault.example.org/mcp2",
            "https://vault.example.org/mcp?x",
            "https://vault.example.org?x",
            "https://vault.example.org#mcp",
            "//vault.example.org/mcp",
            "/mcp",
        ] {
            assert!(
                !is_ours(resource, "https://vault.example.org"),
                "{resource}"
            );
        }
    }
}
