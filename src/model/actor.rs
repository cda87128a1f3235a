//! Who is asking, and what they may do. Permission is checked once, at the top of each operation.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Kind, Result};
use crate::model::memory::words;
use crate::model::scope::{Scope, Scopes};

words! {
    /// What a program with a service token may do.
    ServiceRole("role") {
        /// Download backups and exports, read the status.
        Backup = "backup",
        /// Also bring in memories and conversations; they wait for the owner like an agent's in review mode.
        Import = "import",
        /// What the owner may do, except letting apps in.
        Full = "full",
    }
}

/// The verified caller. The edge makes it; nothing a client sends is taken for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Actor {
    /// The person whose vault it is.
    Owner {
        /// The signed-in address.
        email: String,
    },
    /// A program with an Access service token of the owner's.
    Service {
        /// The token's common name.
        name: String,
        /// What it may do.
        role: ServiceRole,
    },
    /// An app that the owner let in through OAuth.
    Agent {
        /// The client's name as the owner saw it. Empty until the vault has looked the grant up.
        client: String,
        /// The grant it acts under.
        grant: String,
        /// The access token's id.
        token: String,
        /// What the token allows.
        scopes: Scopes,
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
    /// Bring in many at once.
    Import,
    /// See how the vault is: counts and queues, no memory.
    Report,
    /// Download everything: backups and exports.
    Backup,
    /// Decide: approve, reject, edit, destroy, change guide and settings, read the audit log.
    Own,
    /// Let apps in and out. The owner in person.
    Connect,
}

impl Actor {
    /// Fails with [`Kind::Forbidden`] unless the actor may.
    pub fn require(&self, permission: Permission) -> Result<()> {
        if self.may(permission) {
            return Ok(());
        }
        let message = match self {
            Actor::Agent { .. } => "only the owner may do this, in the dashboard",
            Actor::Service { .. } => "this service token's role does not allow it",
            Actor::Owner { .. } | Actor::Vault => "this is not allowed",
        };
        Err(Error::new(Kind::Forbidden, message))
    }

    fn may(&self, permission: Permission) -> bool {
        use Permission::{Backup, Connect, Import, Own, Read, Report, Write};
        match self {
            Actor::Owner { .. } | Actor::Vault => true,
            Actor::Agent { scopes, .. } => match permission {
                Read => scopes.allow(Scope::MemoryRead),
                Write | Import => scopes.allow(Scope::MemoryWrite),
                Report | Backup | Own | Connect => false,
            },
            Actor::Service { role, .. } => match role {
                ServiceRole::Backup => matches!(permission, Report | Backup),
                ServiceRole::Import => matches!(permission, Report | Backup | Import),
                ServiceRole::Full => permission != Connect,
            },
        }
    }

    /// Whether the actor's word counts as the owner's: the owner in person, or a service token with the role `full`.
    pub fn is_owner(&self) -> bool {
        matches!(
            self,
            Actor::Owner { .. }
                | Actor::Service {
                    role: ServiceRole::Full,
                    ..
                }
        )
    }

    /// Whose idempotency keys these are. Two apps may have one name, so an app goes by its grant.
    pub fn identity(&self) -> String {
        match self {
            Actor::Agent { grant, .. } => grant.clone(),
            other => other.label(),
        }
    }

    /// How the audit log names the actor: `owner:<e-mail>`, `service:<common name>`, `mcp:<client>`, `vault`.
    pub fn label(&self) -> String {
        match self {
            Actor::Owner { email } => format!("owner:{email}"),
            Actor::Service { name, .. } => format!("service:{name}"),
            Actor::Agent { client, .. } => format!("mcp:{client}"),
            Actor::Vault => "vault".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Permission; 7] = [
        Permission::Read,
        Permission::Write,
        Permission::Import,
        Permission::Report,
        Permission::Backup,
        Permission::Own,
        Permission::Connect,
    ];

    fn allowed(actor: &Actor) -> Vec<Permission> {
        ALL.into_iter()
            .filter(|permission| actor.require(*permission).is_ok())
            .collect()
    }

    fn agent(scopes: &str) -> Actor {
        Actor::Agent {
            client: "Claude".into(),
            grant: "gra_1".into(),
            token: "tok_1".into(),
            scopes: Scopes::parse(scopes),
        }
    }

    fn service(role: ServiceRole) -> Actor {
        Actor::Service {
            name: "nightly".into(),
            role,
        }
    }

    #[test]
    fn an_agent_does_what_its_scopes_say_and_never_decides() {
        use Permission::{Import, Read, Write};
        assert_eq!(allowed(&agent("memory.read")), [Read]);
        assert_eq!(allowed(&agent("memory.write")), [Read, Write, Import]);
        assert_eq!(allowed(&agent("archive.write")), []);
        assert_eq!(agent("memory.read").label(), "mcp:Claude");
    }

    #[test]
    fn a_service_token_does_what_its_role_says_and_never_lets_apps_in() {
        use Permission::{Backup, Connect, Import, Report};
        assert_eq!(allowed(&service(ServiceRole::Backup)), [Report, Backup]);
        assert_eq!(
            allowed(&service(ServiceRole::Import)),
            [Import, Report, Backup]
        );
        assert_eq!(allowed(&service(ServiceRole::Full)), ALL[..6]);
        assert!(!allowed(&service(ServiceRole::Full)).contains(&Connect));
        assert_eq!(service(ServiceRole::Backup).label(), "service:nightly");
        assert!(service(ServiceRole::Full).is_owner() && !service(ServiceRole::Import).is_owner());
    }

    #[test]
    fn the_owner_may_do_everything() {
        let owner = Actor::Owner {
            email: "ada@example.org".into(),
        };
        assert_eq!(allowed(&owner), ALL);
    }
}
