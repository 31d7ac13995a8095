//! Who has a cell: forged claims of processes that are dead, silent or elsewhere.

use super::*;

/// A process of this machine that is no more.
fn dead() -> serde_json::Value {
    let mut owner = serde_json::to_value(Owner::this_process()).expect("representable");
    owner["born"] = "0".into();
    owner
}

fn taken(claims: &Claims, key: &str) -> bool {
    claims.attempt(key).expect("writable")
}

/// Tries until the claim is taken over, and how often that was in vain.
fn taken_at_last(claims: &Claims, key: &str) -> u32 {
    for tries in 0..100 {
        if taken(claims, key) {
            return tries;
        }
        sleep(Duration::from_millis(100));
    }
    panic!("{key} is never taken over");
}

#[test]
fn a_claim_is_one_process_s_until_it_is_given_back() {
    let folder = temporary();
    let claims = || Claims::of(Place::at(folder.path()), Duration::from_secs(60));
    let (ours, theirs) = (claims(), claims());
    assert!(taken(&ours, "a") && taken(&theirs, "b"));
    assert!(!taken(&theirs, "a") && !taken(&ours, "b"));
    ours.release("a");
    assert!(taken(&theirs, "a"));
    drop(theirs);
    assert!(taken(&ours, "b"), "who goes gives all back");
}

#[test]
fn a_claim_lasts_as_long_as_it_is_renewed() {
    let folder = temporary();
    let claims = || Claims::of(Place::at(folder.path()), Duration::from_secs(1));
    let (ours, theirs) = (claims(), claims());
    assert!(taken(&ours, "a"));
    for _ in 0..30 {
        assert!(!taken(&theirs, "a"));
        sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_claim_that_is_over_is_taken_over_and_no_other() {
    let folder = temporary();
    let claims = Claims::of(Place::at(folder.path()), Duration::from_secs(1));
    forge(folder.path(), "dead", &dead(), 1, 60);
    assert!(taken(&claims, "dead"), "another process bears its number");
    // A machine whose clock is slow, and half a claim: of somebody who is just writing it, or was
    // killed meanwhile. By this process's clock both are new.
    forge(folder.path(), "slow", &elsewhere(), 3600, 1);
    let half = folder.path().join(CLAIMS).join("half.json");
    fs::write(half, "{\"owner\"").expect("writable");
    for ago_s in (3580..3600).rev() {
        assert!(!taken(&claims, "slow") && (ago_s < 3595 || !taken(&claims, "half")));
        forge(folder.path(), "slow", &elsewhere(), ago_s, 1);
        sleep(Duration::from_millis(100));
    }
    assert!(taken(&claims, "half"), "nobody has finished it");
    assert!(taken_at_last(&claims, "slow") > 5, "nobody renews it");
}

#[test]
fn of_many_that_take_a_claim_over_one_has_it() {
    let folder = temporary();
    for round in 0..200 {
        let key = format!("k{round}");
        forge(folder.path(), &key, &dead(), 60, 60);
        let claims: Vec<Claims> = (0..4)
            .map(|_| Claims::of(Place::at(folder.path()), Duration::from_secs(60)))
            .collect();
        let winners = scope(|scope| {
            let hands: Vec<_> = claims
                .iter()
                .map(|claims| scope.spawn(|| taken(claims, &key)))
                .collect();
            let won = hands.into_iter().map(|hand| hand.join().expect("no panic"));
            won.filter(|won| *won).count()
        });
        assert_eq!(winners, 1, "round {round}");
    }
}

#[test]
fn a_turn_that_a_killed_process_left_holds_nobody_up_for_ever() {
    let folder = temporary();
    let claims = Claims::of(Place::at(folder.path()), Duration::from_secs(1));
    let turn = Place::at(folder.path()).turn("late");
    fs::create_dir_all(turn.parent().expect("a folder")).expect("writable");
    forge(folder.path(), "late", &dead(), 7, 60);
    fs::copy(folder.path().join(CLAIMS).join("late.json"), &turn).expect("writable");
    assert!(!taken(&claims, "late") && !turn.exists());
    assert!(taken(&claims, "late") && !turn.exists());
    // One that was killed before it had written a word.
    forge(folder.path(), "late", &dead(), 7, 60);
    fs::write(&turn, "").expect("writable");
    assert!(taken_at_last(&claims, "late") > 5 && !turn.exists());
}
