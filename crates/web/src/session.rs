//! Who asks: a random token in a cookie, of which the server keeps a hash.

use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};

/// The cookie's name.
const COOKIE: &str = "afterstate";

/// Bytes of a token: too many to be guessed.
const TOKEN_BYTES: usize = 32;

/// How long browsers keep the cookie, in seconds: 400 days, the longest that
/// they allow.
const COOKIE_S: u64 = 400 * 24 * 60 * 60;

/// The hash of a token. The token itself is in the browser alone, so that whoever
/// reads the database cannot play in another's name. It is random and long, so
/// one round of a plain hash is enough.
pub(crate) type TokenHash = [u8; 32];

/// Random bytes from the system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// Bytes in lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A new token with its hash.
pub(crate) fn new_token() -> Result<(String, TokenHash), getrandom::Error> {
    let token = hex(&random::<TOKEN_BYTES>()?);
    let hash = hash_of(&token);
    Ok((token, hash))
}

fn hash_of(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

/// The hash of the token that a request brings, if it brings one that can be a
/// token.
pub(crate) fn token_hash(headers: &HeaderMap) -> Option<TokenHash> {
    let cookies = headers.get_all(header::COOKIE).into_iter();
    let token = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))?;
    let is_token = token.len() == 2 * TOKEN_BYTES
        && token
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_token.then(|| hash_of(token))
}

/// The header that gives a browser its token. Scripts do not see it, and other
/// sites' requests do not carry it; over https it is for https alone.
pub(crate) fn set_cookie(token: &str, headers: &HeaderMap) -> String {
    let is_secure = headers
        .get(header::ORIGIN)
        .and_then(|origin| origin.to_str().ok())
        .is_some_and(|origin| origin.starts_with("https://"));
    let secure = if is_secure { "; Secure" } else { "" };
    format!("{COOKIE}={token}; Path=/; Max-Age={COOKIE_S}; HttpOnly; SameSite=Strict{secure}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.clone(), value.parse().expect("a header's value")))
            .collect()
    }

    #[test]
    fn tokens_are_found_among_cookies_and_hashed() {
        let (token, hash) = new_token().expect("the system has random bytes");
        let found = |cookies: &str| token_hash(&headers(&[(header::COOKIE, cookies)]));
        assert_eq!(found(&format!("afterstate={token}")), Some(hash));
        assert_eq!(found(&format!("a=b; afterstate={token}; c=d")), Some(hash));
        assert_ne!(hex(&hash), token);
        let cut = &token[1..];
        for other in [
            String::new(),
            format!("afterstate={cut}"),
            format!("afterstate={token}0"),
            format!("other={token}"),
            format!("afterstate={}", token.replace(|letter| letter != 'x', "g")),
        ] {
            assert_eq!(found(&other), None, "{other}");
        }
        let (other, _) = new_token().expect("the system has random bytes");
        assert_ne!(token, other);
    }

    #[test]
    fn cookies_are_for_this_site_and_for_no_script() {
        let plain = set_cookie("t", &headers(&[(header::ORIGIN, "http://localhost:2048")]));
        assert!(plain.contains("; HttpOnly; SameSite=Strict") && !plain.contains("Secure"));
        let secure = set_cookie("t", &headers(&[(header::ORIGIN, "https://example.org")]));
        assert!(secure.ends_with("; Secure"));
    }
}
