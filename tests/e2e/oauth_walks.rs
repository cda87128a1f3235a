//! Random walks over what clients and thieves do with refresh tokens. Deterministic: each walk has its number.

use crate::support::Vault;
use crate::support::oauth::{
    App, Tokens, audited, forget_calls, keep_signing_key, rows, status_of,
};

/// A small generator (xorshift), so that a walk that fails can be walked again.
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Self {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// Waits a while: within the grace, beyond it, beyond an access token's life, or for weeks.
fn wait(chance: &mut Chance, vault: &Vault, clock: &mut i64) {
    *clock += [5, 20, 61, 300, 3_700, 20 * 86_400][chance.below(6) as usize];
    vault.shift_clock_seconds(*clock);
    forget_calls(vault);
}

#[test]
fn a_well_behaved_client_never_loses_its_grant() {
    // U-173, U-174: it uses the newest pair it received, loses answers, retries, and runs twice at once
    let vault = Vault::start();
    let mut clock = 0;
    for seed in 1..=6 {
        let mut chance = Chance::new(seed);
        let app = App::register(&vault, &format!("walk {seed}"));
        let mut held = app.sign_in();
        keep_signing_key(&vault);
        let mut refreshed_at = clock;
        for step in 0..25 {
            let why = format!("walk {seed}, step {step}");
            match chance.below(6) {
                0 => {
                    held = Tokens::of(&app.refresh(&held.refresh, &[]));
                    refreshed_at = clock;
                }
                // The answer is lost, perhaps several times; the client keeps what it has.
                1 => {
                    for _ in 0..=chance.below(2) {
                        app.refresh(&held.refresh, &[]).expect(200);
                        clock += [1, 30, 90][chance.below(3) as usize];
                        vault.shift_clock_seconds(clock);
                    }
                    held = Tokens::of(&app.refresh(&held.refresh, &[]));
                    refreshed_at = clock;
                }
                // Two processes refresh at once; both go on with what they got, the store keeps the last.
                2 => {
                    let one = Tokens::of(&app.refresh(&held.refresh, &[]));
                    let two = Tokens::of(&app.refresh(&held.refresh, &[]));
                    assert_eq!(status_of(&vault, &one.access), 200, "{why}");
                    held = two;
                    refreshed_at = clock;
                }
                3 => {
                    let fresh = clock - refreshed_at < 3_590;
                    let status = status_of(&vault, &held.access);
                    assert_eq!(status, if fresh { 200 } else { 401 }, "{why}");
                }
                _ => wait(&mut chance, &vault, &mut clock),
            }
            if clock - refreshed_at > 80 * 86_400 {
                held = Tokens::of(&app.refresh(&held.refresh, &[]));
                refreshed_at = clock;
            }
        }
        held = Tokens::of(&app.refresh(&held.refresh, &[]));
        assert_eq!(status_of(&vault, &held.access), 200, "walk {seed}");
        let path = format!("/api/oauth/clients/{}", app.id);
        assert_eq!(vault.delete(&path).status, 204);
        forget_calls(&vault);
    }
    assert_eq!(audited(&vault, "refresh_reuse").len(), 0);
}

#[test]
fn after_a_detected_replay_nothing_of_the_grant_is_alive() {
    // OAuth 2.1 section 4.3.1: a thief has a copy of one token and both go on; once noticed, every token ever given out
    // under the grant is dead, and nothing of it revives
    let vault = Vault::start();
    let (mut clock, mut noticed) = (0, 0);
    for seed in 101..=112 {
        let mut chance = Chance::new(seed);
        let app = App::register(&vault, &format!("walk {seed}"));
        let first = app.sign_in();
        keep_signing_key(&vault);
        let mut given = vec![first.clone()];
        // Whose newest pair it is: the owner's app, the thief.
        let mut held = [first.clone(), first];
        for _ in 0..20 {
            let who = chance.below(2) as usize;
            match chance.below(5) {
                0 | 1 => {
                    let answer = app.refresh(&held[who].refresh, &[]);
                    if answer.status == 200 {
                        held[who] = Tokens::of(&answer);
                        given.push(held[who].clone());
                    } else {
                        assert_eq!(answer.oauth_error(400), "invalid_grant");
                    }
                }
                2 => drop(status_of(&vault, &held[who].access)),
                // The thief digs out an old copy.
                3 => held[1] = given[chance.below(given.len() as u64) as usize].clone(),
                _ => wait(&mut chance, &vault, &mut clock),
            }
            let found = audited(&vault, "refresh_reuse").len();
            if found > noticed {
                assert_eq!(found, noticed + 1, "walk {seed}");
                noticed = found;
                break;
            }
        }
        let alive = rows(&vault, "oauth_grants") == 1;
        forget_calls(&vault);
        if !alive {
            for tokens in &given {
                assert_eq!(status_of(&vault, &tokens.access), 401, "walk {seed}");
                let answer = app.refresh(&tokens.refresh, &[]);
                assert_eq!(answer.oauth_error(400), "invalid_grant", "walk {seed}");
            }
            assert_eq!(rows(&vault, "oauth_tokens"), 0, "walk {seed}");
        }
        let path = format!("/api/oauth/clients/{}", app.id);
        assert_eq!(vault.delete(&path).status, 204);
        forget_calls(&vault);
    }
    assert!(noticed >= 4, "the walks met too few replays: {noticed}");
    assert_eq!(audited(&vault, "refresh_reuse").len(), noticed);
}
