//! Handlers of `/api/restore`: a backup comes back in, in parts or whole.

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::api::streamed::Sink;
use crate::error::Result;
use crate::model::actor::Actor;
use crate::model::restore::RestoreState;
use crate::vault::restore::commit::{self, Options};
use crate::vault::restore::upload::{self, Upload};
use crate::vault::restore::{cancel, look, open};
use crate::vault::{self, Vault};

fn options(call: &Call<'_>) -> Result<Options> {
    Ok(Options {
        replace: call.flag("replace")?,
        keep_forgotten: call.query("keep_forgotten").is_none() || call.flag("keep_forgotten")?,
    })
}

/// `POST /api/restore`: opens one; with a body, which is then the whole file, also commits it.
pub fn open(vault: &Vault<'_>, call: &Call<'_>) -> Result<Box<dyn Sink>> {
    let (actor, options) = (call.actor()?, options(call)?);
    let id = open::open(vault, actor)?;
    let upload = upload::begin(vault, actor, &id, "1")?;
    Ok(Box::new(Incoming {
        actor: actor.clone(),
        upload,
        whole: Some(options),
    }))
}

/// `PUT /api/restore/:id/parts/:n`
pub fn put_part(vault: &Vault<'_>, call: &Call<'_>) -> Result<Box<dyn Sink>> {
    let actor = call.actor()?;
    Ok(Box::new(Incoming {
        actor: actor.clone(),
        upload: upload::begin(vault, actor, call.parameter("id"), call.parameter("n"))?,
        whole: None,
    }))
}

/// A part on its way in.
struct Incoming {
    actor: Actor,
    upload: Upload,
    /// Set when the part may be the whole file, to be committed at once.
    whole: Option<Options>,
}

impl Incoming {
    /// What a whole file leaves behind when it is refused: nothing.
    fn give_up(&self, vault: &Vault<'_>) {
        let _ = cancel::cancel(vault, &self.actor, self.upload.restore());
    }
}

impl Sink for Incoming {
    fn take(&mut self, vault: &Vault<'_>, bytes: &[u8]) -> Result<()> {
        if let Some(options) = self.whole.filter(|_| self.upload.bytes() == 0)
            && !options.replace
        {
            commit::require_empty(vault)?;
        }
        self.upload.take(vault, bytes)
    }

    fn finish(self: Box<Self>, vault: &Vault<'_>) -> Result<Response> {
        let id = self.upload.restore().to_owned();
        let (actor, empty) = (self.actor.clone(), self.upload.bytes() == 0);
        match self.whole {
            Some(_) if empty => {
                self.upload.abandon(vault);
                Ok(response::json(201, &look::look(vault, &actor, &id)?))
            }
            Some(options) => {
                self.upload.finish(vault)?;
                match commit::commit(vault, &actor, &id, options) {
                    Ok(view) => Ok(committed(&view)),
                    Err(error) => {
                        let _ = cancel::cancel(vault, &actor, &id);
                        Err(error)
                    }
                }
            }
            None => {
                self.upload.finish(vault)?;
                Ok(response::json(200, &look::look(vault, &actor, &id)?))
            }
        }
    }

    fn abandon(&mut self, vault: &Vault<'_>) {
        self.upload.abandon(vault);
        if self.whole.is_some() {
            self.give_up(vault);
        }
    }
}

/// 200 once it is done, 202 while it goes on by itself.
fn committed(view: &crate::model::restore::RestoreView) -> Response {
    let done = view.state == RestoreState::Restored;
    response::json(if done { 200 } else { 202 }, view)
}

/// `GET /api/restore`: `null` while none is open, which is the ordinary case and no failure.
pub fn current(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(200, &look::current(vault, call.actor()?)?))
}

/// `GET /api/restore/:id`
pub fn get(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let view = look::look(vault, call.actor()?, call.parameter("id"))?;
    Ok(response::json(200, &view))
}

/// `POST /api/restore/:id/commit`
pub fn commit(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let view =
        vault::restore::commit::commit(vault, call.actor()?, call.parameter("id"), options(call)?)?;
    Ok(committed(&view))
}

/// `DELETE /api/restore/:id`
pub fn remove(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    cancel::cancel(vault, call.actor()?, call.parameter("id"))?;
    Ok(response::empty(204))
}
