//! A journal as its writer and its readers see it.

use super::*;

fn header() -> Entry {
    Entry::Header(Header {
        schema: SCHEMA.to_owned(),
        windhover: "1.0".to_owned(),
        config: String::new(),
    })
}

fn trial(number: u64) -> Entry {
    let json = format!(
        r#"{{"record":"trial","number":{number},"x":[0.5],"origin":"initial","cost_m":0.3,"crashed":false,"flights":[]}}"#
    );
    serde_json::from_str(&json).expect("a record")
}

#[test]
fn what_was_appended_is_there_for_who_opens_it_again() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let path = folder.path().join(NAME);
    let mut journal = Journal::create(folder.path(), header()).expect("a new run");
    assert!(!folder.path().join(PARTIAL).exists());
    let kept = journal.kept();
    for number in 0..2 {
        assert_eq!(kept.load(Ordering::SeqCst), number);
        journal.append(trial(number)).expect("room");
    }
    assert_eq!(kept.load(Ordering::SeqCst), 2);
    let length = fs::metadata(&path).expect("there").len();
    let me = Some(Some(std::process::id()));
    assert_eq!(inspect(folder.path()).expect("a run").holder, me);
    let refused = Journal::open(folder.path()).expect_err("held").to_string();
    assert!(
        refused.contains(&std::process::id().to_string()),
        "{refused}"
    );
    drop(journal);
    assert!(!folder.path().join(PID).exists());
    assert_eq!(inspect(folder.path()).expect("a run").holder, None);
    assert!(Journal::create(folder.path(), header()).is_err(), "taken");

    let unfinished = b"0123456";
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .expect("there");
    file.write_all(unfinished).expect("room");
    let mut journal = Journal::open(folder.path()).expect("free");
    assert_eq!(journal.dropped(), Some(7));
    assert_eq!(fs::metadata(&path).expect("there").len(), length);
    assert_eq!(journal.kept().load(Ordering::SeqCst), 2);
    assert_eq!(journal.contents().trials.len(), 2);
    journal.append(trial(2)).expect("room");
    drop(journal);
    let again = Journal::open(folder.path()).expect("free");
    assert_eq!(again.dropped(), None);
    assert_eq!(again.contents().trials.len(), 3);
}

#[test]
fn a_journal_that_another_program_changed_or_deleted_takes_no_record() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let path = folder.path().join(NAME);
    let mut journal = Journal::create(folder.path(), header()).expect("a new run");
    journal.append(trial(0)).expect("room");
    let length = fs::metadata(&path).expect("there").len();
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .expect("there");
    file.write_all(b"x").expect("room");
    let refused = journal.append(trial(1)).expect_err("meddled");
    let said = format!("has {} bytes, not the {length} that", length + 1);
    assert!(refused.to_string().contains(&said), "{refused}");
    assert_eq!(refused.exit_code(), exit::IO);
    fs::remove_file(&path).expect("there");
    let refused = journal.append(trial(1)).expect_err("deleted");
    // Where the system does not tell, nobody can know.
    if cfg!(unix) {
        assert!(refused.to_string().contains("was deleted"), "{refused}");
        assert_eq!(refused.exit_code(), exit::IO);
    }
}

#[test]
fn a_record_that_cannot_be_written_is_not_tried_for_ever() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let path = folder.path().join(NAME);
    fs::write(&path, "").expect("writable");
    let mut read_only = File::open(&path).expect("there");
    assert!(write_once(&mut read_only, b"record").is_err());
}
