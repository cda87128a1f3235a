//! Key pairs for tests. They were made for this file, sign nothing but test assertions and guard nothing.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::EncodingKey;
use serde_json::{Value, json};

/// A 2048-bit RSA key pair: PKCS #1 DER in base64.
pub const TEST_RSA_PRIVATE: &str = "\
    MIIEowIBAAKCAQEA1lLgLgIgd/zWMwgTJ0jBNeUsLDgFkiSIiwR8r3uqni35Smycru2pZEPBFMkJe8GpnzvfRXdBFp/m+IvyajhS\
    t08z0s8zoaLU81QE5NKZQG4KtQRN0vDhOkcllGnSXPNfTcYK570hdYbTy8pqtVDN/dsCXrFhHu8FWEFTFp8RI7d3gYNRK1ShqMfQ\
    CdbYjr65G0dfLiBHzM4JMw47rfhy/IT2tz8AgUtze9+5Oa8NOwe8ixNLVtSL3VtFUgZZ7AxVDQhUi5tgJrzH4xcMD6TcAZy1c+I2\
    fzCQPIMgsU60OKiNfmiHAVLA3yKt+HISLr+re75JOMcuWfCRc5afzxUCPQIDAQABAoIBACVkbCxavqNwf0aEACN4dA0dIKnOVFp8\
    +T2X2NEc+FWEm9u6O1Phrw4JLCSeNoNa9GcNoRSTi82QtFFkyTRzAytsLBR5hf6LVC/n1rq9a3NsP335dEJ7ODBcvVe5ZrRE2bnN\
    9ZUc0Dua/FSvyhI8ONQzY6R1ugYVmY8eRorJ0cmzJPAWeKqo3S+Ie+QrXK/7FJN7cLT3DRBKfzRNjfis/VC6w8CkhWsYxLKAsZk4\
    vAFL/oe/NBGUT3fXWcyJJ/4UFwxVxSXK5vBWBj90iOpnml71eWLMyzeQcMk7pVFr4gx7ZYPptUJWt/8sKJhk7DUhu1hmjir9kxCW\
    dIhVbSXlo8ECgYEA68jT+jCTM8DKhicqjghJ9trmL79iqHoZsQKw4Mz4I/67nht65hWL3XW2QA5VL/itbptB9sQBHGdSDdUXZBan\
    uVojoX30E97cTmBLfF+iIBdyF5fmH2nejUVbYYL4eSMAuV5CC+4zeNr12rWHjnxWTOWDpid4QYNVuPzRnm65tBkCgYEA6LMC4UaT\
    lFFFh5NubridDBQ6OTrkceMrpXWH435gflQpsvw2md6lfBGYHooBfQdsiINenIPzbcGPM+iD7WM0lIZR+JrAC1LqZwdpiEcsDCVH\
    Igo8tJtZy5TbNSYpBCIG5Nfwino/g7VzW2BYs5BtB9jzmu2UpPb9mjQvO2y+I8UCgYBDikqWb1WrTH13Aj8hYmR1juzDHqqPIjK7\
    zs6GBpDKFsz9lFeXEvL2pCJppPFoBW8AsP6rRigfT8VkavcBV7AB2z07pE3HZ15qIRFedjKFyNGIyp1DwFrc0tJDU3YDlTA+6S44\
    Jqqd4vLsDHXhLeK2skQM01+SPKHQlLMjFAqj+QKBgQC21I+auH0Tt5dNooTN8bdS2kG03ZTH9plAc0vFbnIaT75Dpu6vjsOu65P9\
    yqjIt6CK0czwZKxKvB3rxvCA/8U8PR0Cm3PwccFCGgzMyj7NfCybjjeMH9M5pUdmRwlK+gE4pIGWC98DePmd/eEzlHJWDBu6yphT\
    1MwE8KN7qUDrkQKBgFgHVkbXU6gtpRVR8P5V8XLPNlWzjPXPd6qafEKJpQdbppXEclXnGzEzyD5ETTbPIJPPX/ImnZUZYabIM/fk\
    2eW3vc63EJT9fGqdPHBzb+dun9aobgaNRVAg8EaUlmTE3zy7H3IS80uIk4T81JZY8vhJNkbxtIbucYlBdPwc+P+z";

/// Its modulus, as a JWK writes it.
pub const TEST_RSA_MODULUS: &str = "\
    1lLgLgIgd_zWMwgTJ0jBNeUsLDgFkiSIiwR8r3uqni35Smycru2pZEPBFMkJe8GpnzvfRXdBFp_m-IvyajhSt08z0s8zoaLU81QE\
    5NKZQG4KtQRN0vDhOkcllGnSXPNfTcYK570hdYbTy8pqtVDN_dsCXrFhHu8FWEFTFp8RI7d3gYNRK1ShqMfQCdbYjr65G0dfLiBH\
    zM4JMw47rfhy_IT2tz8AgUtze9-5Oa8NOwe8ixNLVtSL3VtFUgZZ7AxVDQhUi5tgJrzH4xcMD6TcAZy1c-I2fzCQPIMgsU60OKiN\
    fmiHAVLA3yKt-HISLr-re75JOMcuWfCRc5afzxUCPQ";

/// A modulus of 1024 bits, too small to be trusted.
pub const TEST_SMALL_RSA_MODULUS: &str = "\
    wGWeaZ-tpcoKwFdZ7w3TyQmtnFMYedPCLyueCEP5g9OXXaP_jrlxYc7tCB_7ZMhwoo3YjKONlNYBXiHaewdcMGhAODKhHv33T78K\
    6rWxOrKk3MgEvmqCxAXyUMQmHu-3zeNgaoei8gS4ntkBiGkcDA3tZLsw4r7x2KEEd-u9U9E";

/// A P-256 key pair: PKCS #8 DER in base64.
pub const TEST_EC_PRIVATE: &str = "\
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3VzVv/Mu6v5MKe0fCfiyjQZIgv36qcQkUmqh+/SMwWChRANCAAQR\
    TXI0bwqgknsUQE//cOjU3oYeDGe32pTA91KFgXvhg6myi7LYftc47MucEqaOIXBODTmE3xKG0pWRFjs9PNLB";

/// Its public point, as a JWK writes it.
pub const TEST_EC_X: &str = "\
    EU1yNG8KoJJ7FEBP_3Do1N6GHgxnt9qUwPdShYF74YM";

/// The other half of the point.
pub const TEST_EC_Y: &str = "\
    qbKLsth-1zjsy5wSpo4hcE4NOYTfEobSlZEWOz080sE";

/// A P-256 key pair nobody trusts: PKCS #8 DER in base64.
pub const TEST_STRANGER_PRIVATE: &str = "\
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZFT6BXOO52hWK3zAqIre/Q/p4C0JTeR17hq5tKgGCI2hRANCAATT\
    bypxy92a5G8s8u7Oe5KcxinSXobQwWhmuwf8x9+CMwdszImT05aG8NiEyg8ds4OzMrfR+EX5vy+ATWruxRVr";

/// The key id of the RSA pair in [`jwks`].
pub const TEST_RSA_ID: &str = "rsa-1";
/// The key id of the P-256 pair in [`jwks`].
pub const TEST_EC_ID: &str = "ec-1";

fn der(base64: &str) -> Vec<u8> {
    STANDARD.decode(base64).unwrap()
}

/// Signs RS256.
pub fn rsa_signer() -> EncodingKey {
    EncodingKey::from_rsa_der(&der(TEST_RSA_PRIVATE))
}

/// Signs ES256.
pub fn ec_signer() -> EncodingKey {
    EncodingKey::from_ec_der(&der(TEST_EC_PRIVATE))
}

/// Signs ES256 with a pair that is in no key set.
pub fn stranger_signer() -> EncodingKey {
    EncodingKey::from_ec_der(&der(TEST_STRANGER_PRIVATE))
}

/// The RSA pair's public half as a JWK.
pub fn rsa_jwk() -> Value {
    json!({"kid": TEST_RSA_ID, "kty": "RSA", "alg": "RS256", "use": "sig", "e": "AQAB", "n": TEST_RSA_MODULUS})
}

/// The P-256 pair's public half as a JWK.
pub fn ec_jwk() -> Value {
    json!({"kid": TEST_EC_ID, "kty": "EC", "crv": "P-256", "x": TEST_EC_X, "y": TEST_EC_Y})
}

/// Both public halves, in the shape Access answers with.
pub fn jwks() -> String {
    json!({
        "keys": [rsa_jwk(), ec_jwk()],
        "public_cert": {"kid": TEST_RSA_ID, "cert": "not read"},
        "public_certs": [{"kid": TEST_RSA_ID, "cert": "not read"}],
    })
    .to_string()
}
