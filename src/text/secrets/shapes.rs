//! The shapes that services give their tokens: a prefix, an alphabet and a length. Lengths are a little under the ones the
//! services document, because they change; the comment at a row says where a shape is not self-evident.

use std::sync::LazyLock;

use super::kind::SecretKind;
use super::values::{is_filler, is_token_like};
use super::walk::{byte, gap, walk};

/// Alphabets of values.
#[derive(Clone, Copy)]
enum Set {
    /// Letters and digits.
    Plain,
    /// Letters, digits, `_`, `-`.
    Url,
    /// [`Set::Url`] and the dot.
    Dotted,
    /// Base64 with `+`, `/`, `=`, and what stands for them in addresses.
    Base64,
    /// Capitals and digits.
    Capital,
    /// Hexadecimal digits.
    Hex,
    /// Letters, digits, `_`, `-`, `/`.
    Path,
}

impl Set {
    fn accepts(self) -> fn(u8) -> bool {
        match self {
            Set::Plain => |byte| byte.is_ascii_alphanumeric(),
            Set::Url => is_url,
            Set::Dotted => |byte| is_url(byte) || byte == b'.',
            Set::Base64 => is_base64,
            Set::Capital => |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Set::Hex => |byte| byte.is_ascii_hexdigit(),
            Set::Path => |byte| is_url(byte) || byte == b'/',
        }
    }
}

/// Letters, digits, `_`, `-`: base64url (RFC 4648 §5).
pub(super) fn is_url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Both alphabets of base64 (RFC 4648 §4 and §5) and the padding.
pub(super) fn is_base64(byte: u8) -> bool {
    is_url(byte) || matches!(byte, b'+' | b'/' | b'=')
}

struct Shape {
    prefix: &'static str,
    set: Set,
    /// Bytes after the prefix from which it counts.
    least: usize,
    /// Bytes after the prefix at which it ends.
    most: usize,
    /// Whether the prefix is unlikely enough elsewhere; otherwise the value must look random as well.
    sure: bool,
    of: &'static str,
}

/// The longest value of shapes without a fixed length.
const LONG: usize = 512;

const fn sure(
    prefix: &'static str,
    set: Set,
    least: usize,
    most: usize,
    of: &'static str,
) -> Shape {
    Shape {
        prefix,
        set,
        least,
        most,
        sure: true,
        of,
    }
}

const fn unsure(
    prefix: &'static str,
    set: Set,
    least: usize,
    most: usize,
    of: &'static str,
) -> Shape {
    Shape {
        prefix,
        set,
        least,
        most,
        sure: false,
        of,
    }
}

/// Longer prefixes of one beginning stand first.
#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    // Code hosting and packages
    sure("github_pat_", Set::Url, 36, 90, "GitHub"),
    sure("ghp_", Set::Plain, 30, 40, "GitHub"),
    sure("gho_", Set::Plain, 30, 40, "GitHub"),
    sure("ghu_", Set::Plain, 30, 40, "GitHub"),
    sure("ghs_", Set::Plain, 30, 40, "GitHub"),
    sure("ghr_", Set::Plain, 30, 80, "GitHub"),
    sure("glpat-", Set::Dotted, 18, 300, "GitLab"),
    sure("gldt-", Set::Url, 18, 64, "GitLab"),
    sure("glrt-", Set::Dotted, 18, 64, "GitLab"),
    sure("glcbt-", Set::Url, 18, 64, "GitLab"),
    sure("glptt-", Set::Url, 36, 64, "GitLab"),
    sure("glsoat-", Set::Url, 18, 64, "GitLab"),
    sure("glagent-", Set::Url, 40, 64, "GitLab"),
    unsure("ATBB", Set::Plain, 28, 40, "Bitbucket"),
    sure("ATATT3", Set::Base64, 100, LONG, "Atlassian"),
    sure("ATCTT3", Set::Base64, 100, LONG, "Atlassian"),
    sure("npm_", Set::Plain, 34, 40, "npm"),
    sure("pypi-", Set::Url, 50, LONG, "PyPI"),
    sure("rubygems_", Set::Hex, 40, 64, "RubyGems"),
    unsure("cio", Set::Plain, 32, 32, "crates.io"),
    sure("dckr_pat_", Set::Url, 24, 40, "Docker Hub"),
    sure("dckr_oat_", Set::Url, 24, 40, "Docker Hub"),
    sure("AKCp", Set::Plain, 60, 80, "Artifactory"),
    sure("sntrys_", Set::Base64, 40, LONG, "Sentry"),
    sure("sntryu_", Set::Hex, 40, 64, "Sentry"),
    sure("squ_", Set::Hex, 40, 40, "SonarQube"),
    sure("sqp_", Set::Hex, 40, 40, "SonarQube"),
    sure("sqa_", Set::Hex, 40, 40, "SonarQube"),
    sure("CCIPAT_", Set::Url, 40, 100, "CircleCI"),
    sure("bkua_", Set::Hex, 36, 40, "Buildkite"),
    // Models
    sure("sk-ant-", Set::Url, 20, LONG, "Anthropic"),
    sure("sk-proj-", Set::Url, 24, LONG, "OpenAI"),
    sure("sk-svcacct-", Set::Url, 24, LONG, "OpenAI"),
    sure("sk-admin-", Set::Url, 24, LONG, "OpenAI"),
    sure("sk-or-v1-", Set::Hex, 40, 64, "OpenRouter"),
    sure("sk-lf-", Set::Url, 30, 40, "Langfuse"),
    unsure("sk-", Set::Url, 20, 200, "OpenAI or a service like it"),
    sure("hf_", Set::Plain, 30, 40, "Hugging Face"),
    sure("api_org_", Set::Plain, 30, 40, "Hugging Face"),
    sure("gsk_", Set::Plain, 40, 64, "Groq"),
    unsure("xai-", Set::Plain, 60, 100, "xAI"),
    sure("pplx-", Set::Plain, 40, 64, "Perplexity"),
    sure("nvapi-", Set::Url, 50, 80, "NVIDIA"),
    unsure("r8_", Set::Plain, 34, 40, "Replicate"),
    sure("lsv2_pt_", Set::Url, 32, 64, "LangSmith"),
    sure("lsv2_sk_", Set::Url, 32, 64, "LangSmith"),
    sure("pcsk_", Set::Url, 40, 100, "Pinecone"),
    sure("tvly-", Set::Url, 24, 64, "Tavily"),
    unsure("fc-", Set::Hex, 32, 32, "Firecrawl"),
    unsure("m0-", Set::Plain, 36, 48, "Mem0"),
    unsure("sk_", Set::Hex, 40, 64, "ElevenLabs"),
    // Clouds
    sure("AKIA", Set::Capital, 16, 16, "AWS"),
    sure("ASIA", Set::Capital, 16, 16, "AWS"),
    sure("ABIA", Set::Capital, 16, 16, "AWS"),
    sure("AIza", Set::Url, 33, 39, "Google"),
    sure("ya29.", Set::Dotted, 30, LONG, "Google"),
    sure("GOCSPX-", Set::Url, 20, 40, "Google"),
    sure("1//0", Set::Url, 40, 128, "Google"),
    sure("AccountKey=", Set::Base64, 40, 100, "Azure"),
    sure("SharedAccessKey=", Set::Base64, 40, 100, "Azure"),
    // The signature of a shared access signature is a base64 SHA-256.
    unsure("sig=", Set::Base64, 40, 100, "Azure"),
    sure("dop_v1_", Set::Plain, 40, 64, "DigitalOcean"),
    sure("doo_v1_", Set::Plain, 40, 64, "DigitalOcean"),
    sure("dor_v1_", Set::Plain, 40, 64, "DigitalOcean"),
    sure("cfut_", Set::Url, 36, 64, "Cloudflare"),
    sure("cfat_", Set::Url, 36, 64, "Cloudflare"),
    sure("cfk_", Set::Url, 36, 64, "Cloudflare"),
    sure("v1.0-", Set::Url, 100, 200, "Cloudflare"),
    sure("HRKU-", Set::Url, 30, 80, "Heroku"),
    sure("nfp_", Set::Plain, 36, 64, "Netlify"),
    sure("fm1_", Set::Base64, 40, LONG, "Fly.io"),
    sure("fm2_", Set::Base64, 40, LONG, "Fly.io"),
    sure("fo1_", Set::Url, 40, 64, "Fly.io"),
    unsure("LTAI", Set::Plain, 16, 24, "Alibaba Cloud"),
    unsure("AKID", Set::Plain, 32, 36, "Tencent Cloud"),
    sure("hvs.", Set::Url, 24, 200, "HashiCorp Vault"),
    sure("hvb.", Set::Url, 24, 300, "HashiCorp Vault"),
    sure("pul-", Set::Hex, 40, 40, "Pulumi"),
    sure("tskey-", Set::Url, 20, 80, "Tailscale"),
    // Data
    sure("dapi", Set::Hex, 32, 34, "Databricks"),
    sure("pscale_tkn_", Set::Url, 30, 64, "PlanetScale"),
    sure("pscale_pw_", Set::Url, 30, 64, "PlanetScale"),
    sure("sbp_", Set::Hex, 40, 40, "Supabase"),
    sure("sb_secret_", Set::Url, 20, 64, "Supabase"),
    sure("napi_", Set::Plain, 40, 80, "Neon"),
    sure("glsa_", Set::Url, 32, 64, "Grafana"),
    sure("glc_", Set::Base64, 50, LONG, "Grafana"),
    sure("NRAK-", Set::Capital, 26, 32, "New Relic"),
    sure("dp.pt.", Set::Plain, 40, 48, "Doppler"),
    sure("dp.st.", Set::Dotted, 40, 80, "Doppler"),
    sure("PMAK-", Set::Url, 50, 64, "Postman"),
    sure("dt0c01.", Set::Dotted, 60, 120, "Dynatrace"),
    // Messages
    sure("xoxb-", Set::Url, 10, LONG, "Slack"),
    sure("xoxp-", Set::Url, 10, LONG, "Slack"),
    sure("xoxa-", Set::Url, 10, LONG, "Slack"),
    sure("xoxr-", Set::Url, 10, LONG, "Slack"),
    sure("xoxs-", Set::Url, 10, LONG, "Slack"),
    sure("xoxc-", Set::Url, 10, LONG, "Slack"),
    sure("xoxd-", Set::Base64, 10, LONG, "Slack"),
    sure("xoxe.", Set::Dotted, 20, LONG, "Slack"),
    sure("xoxe-", Set::Url, 10, LONG, "Slack"),
    sure("xapp-", Set::Url, 20, LONG, "Slack"),
    unsure("hooks.slack.com/services/", Set::Path, 24, 100, "Slack"),
    unsure("discord.com/api/webhooks/", Set::Path, 50, 120, "Discord"),
    unsure("discordapp.com/api/webhooks/", Set::Path, 50, 120, "Discord"),
    unsure("SG.", Set::Dotted, 40, 80, "SendGrid"),
    unsure("SK", Set::Hex, 32, 32, "Twilio"),
    unsure("key-", Set::Hex, 32, 32, "Mailgun"),
    unsure("EAA", Set::Plain, 80, LONG, "Facebook"),
    // Money and trade
    sure("sk_live_", Set::Plain, 16, 200, "Stripe"),
    sure("sk_test_", Set::Plain, 16, 200, "Stripe"),
    sure("rk_live_", Set::Plain, 16, 200, "Stripe"),
    sure("rk_test_", Set::Plain, 16, 200, "Stripe"),
    sure("whsec_", Set::Base64, 20, 100, "Stripe"),
    sure("shpat_", Set::Plain, 30, 40, "Shopify"),
    sure("shpca_", Set::Plain, 30, 40, "Shopify"),
    sure("shppa_", Set::Plain, 30, 40, "Shopify"),
    sure("shpss_", Set::Plain, 30, 40, "Shopify"),
    sure("sq0atp-", Set::Url, 20, 30, "Square"),
    sure("sq0csp-", Set::Url, 40, 50, "Square"),
    unsure("EAAA", Set::Url, 58, 70, "Square"),
    sure("access_token$production$", Set::Plain, 40, 60, "PayPal"),
    // Notes, tasks, pictures
    unsure("secret_", Set::Plain, 40, 50, "Notion"),
    sure("ntn_", Set::Plain, 40, 50, "Notion"),
    sure("lin_api_", Set::Plain, 32, 48, "Linear"),
    sure("lin_oauth_", Set::Plain, 32, 80, "Linear"),
    sure("figd_", Set::Url, 36, 64, "Figma"),
    sure("sk.eyJ", Set::Dotted, 60, 200, "Mapbox"),
    sure("ops_eyJ", Set::Base64, 60, 2048, "1Password"),
    sure("CFPAT-", Set::Url, 40, 64, "Contentful"),
    sure("tfp_", Set::Url, 40, 80, "Typeform"),
    // Memory Vault itself: refresh tokens, codes and client secrets.
    sure("mvr_", Set::Url, 40, 48, "Memory Vault"),
    sure("mvc_", Set::Url, 40, 48, "Memory Vault"),
    sure("mvs_", Set::Url, 40, 48, "Memory Vault"),
];

/// The bech32 identity of age, whose public counterpart is `age1…`.
const AGE: Shape = sure("AGE-SECRET-KEY-1", Set::Capital, 50, 64, "age");

/// The rows of [`SHAPES`] by their first byte.
static BY_FIRST: LazyLock<[Vec<&'static Shape>; 128]> = LazyLock::new(|| {
    let mut rows = std::array::from_fn(|_| Vec::new());
    for shape in SHAPES.iter().chain([&AGE]) {
        let first = shape.prefix.bytes().next().map_or(0, usize::from);
        if let Some(row) = rows.get_mut(first) {
            let row: &mut Vec<&'static Shape> = row;
            row.push(shape);
        }
    }
    rows
});

/// The token of a known shape that begins at a place, and where it ends. The place must be the beginning of a word.
pub(super) fn token(text: &[u8], from: usize) -> Option<(SecretKind, usize)> {
    let row = BY_FIRST.get(usize::from(byte(text, from)))?;
    row.iter().find_map(|shape| {
        let (value, gaps) = after_prefix(text, from, shape.prefix)?;
        let accepts = shape.set.accepts();
        let walk = walk(text, value, accepts, shape.least, shape.most);
        if walk.value.len() < shape.least {
            return None;
        }
        // One line end may be anywhere; a value of many pieces may be a list of words.
        let broken = walk.blanks > 0 || walk.lines + gaps > 2;
        if ((!shape.sure || broken) && !is_token_like(&walk.value)) || is_filler(&walk.value) {
            return None;
        }
        let kind = match shape.of {
            "age" => SecretKind::PrivateKey,
            of => SecretKind::ApiToken(of),
        };
        Some((kind, walk.end))
    })
}

/// Where a prefix that begins at a place ends, and the gaps in it.
pub(super) fn after_prefix(text: &[u8], from: usize, prefix: &str) -> Option<(usize, usize)> {
    let (mut at, mut gaps) = (from, 0);
    for expected in prefix.bytes() {
        if byte(text, at) != expected {
            let (next, _) = gap(text, at, |next| next == expected).filter(|_| at > from)?;
            if byte(text, next) != expected {
                return None;
            }
            at = next;
            gaps += 1;
        }
        at += 1;
    }
    Some((at, gaps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_counts_from_its_least_length() {
        for shape in SHAPES.iter().filter(|shape| shape.sure) {
            let digit = match shape.set {
                Set::Hex => "a1",
                _ => "B7",
            };
            let of_length = |length: usize| {
                let text = format!("{}{}", shape.prefix, digit.repeat(length))
                    .chars()
                    .take(shape.prefix.len() + length)
                    .collect::<String>();
                token(text.as_bytes(), 0)
            };
            assert!(of_length(shape.least).is_some(), "{}", shape.prefix);
            assert!(of_length(5).is_none(), "{}", shape.prefix);
        }
    }

    #[test]
    fn no_row_hides_behind_a_shorter_prefix() {
        for (index, shape) in SHAPES.iter().enumerate() {
            for later in &SHAPES[index + 1..] {
                assert!(
                    !later.prefix.starts_with(shape.prefix) || later.least < shape.least,
                    "{} before {}",
                    shape.prefix,
                    later.prefix
                );
            }
        }
    }
}
