//! Who is asking, and what they may do. Permission is checked once, at the top of each operation.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Kind, Result};

/// The verified caller. The edge makes it; nothing a client sends is taken for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Actor {
    /// The person whose vault it is.
    Owner {
        /// The signed-in address.
        email: String,
    },
    /// A program that speaks MCP for the owner.
    Agent {
        /// The client's name, as the owner sees it in the audit log.
        client: String,
    },
    /// The vault itself, in its alarm.
    Vault,
}

/// What an operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Read memories and the guide.
    Read,
    /// Store and propose memories, ask for forgetting.
    Write,
    /// Decide: approve, reject, edit, destroy, change guide and settings, read the audit log.
    Own,
}

impl Actor {
    /// Fails with [`Kind::Forbidden`] unless the actor may.
    pub fn require(&self, permission: Permission) -> Result<()> {
        let allowed = match self {
            Actor::Owner { .. } | Actor::Vault => true,
            Actor::Agent { .. } => permission != Permission::Own,
        };
        if allowed {
            Ok(())
        } else {
            Err(Error::new(
                Kind::Forbidden,
                "only the owner may do this, in the dashboard",
            ))
        }
    }

    /// Whether it is the owner in person.
    pub fn is_owner(&self) -> bool {
        matches!(self, Actor::Owner { .. })
    }

    /// How the audit log names the actor: `owner:<e-mail>`, `mcp:<client>`, `vault`.
    pub fn label(&self) -> String {
        match self {
            Actor::Owner { email } => format!("owner:{email}"),
            Actor::Agent { client } => format!("mcp:{client}"),
            Actor::Vault => "vault".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_reads_and_writes_but_never_decides() {
        let agent = Actor::Agent {
            client: "Claude".into(),
        };
        assert!(
            agent.require(Permission::Read).is_ok() && agent.require(Permission::Write).is_ok()
        );
        assert_eq!(
            agent.require(Permission::Own).unwrap_err().kind,
            Kind::Forbidden
        );
        assert_eq!(agent.label(), "mcp:Claude");
    }

    #[test]
    fn the_owner_may_do_everything() {
        let owner = Actor::Owner {
            email: "ada@example.org".into(),
        };
        for permission in [Permission::Read, Permission::Write, Permission::Own] {
            assert!(owner.require(permission).is_ok());
        }
    }
}
