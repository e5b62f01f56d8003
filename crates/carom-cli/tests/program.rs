//! Does the program `carom` keep its promises to the shell?

use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

fn carom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program writes UTF-8")
}

#[test]
fn help_and_version_end_with_0_and_write_to_stdout() {
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["help"],
        &["--version"],
        &["completions", "--help"],
        &["laws", "--help"],
    ] {
        let out = carom(arguments);
        assert_eq!(out.status.code(), Some(0), "{arguments:?}");
        assert!(!out.stdout.is_empty(), "{arguments:?}");
        assert!(out.stderr.is_empty(), "{arguments:?}");
    }
    assert_eq!(
        text(&carom(&["--version"]).stdout).trim(),
        concat!("carom ", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn every_help_has_an_example_that_runs() {
    for arguments in [
        &["--help"][..],
        &["completions", "--help"],
        &["laws", "--help"],
        &["reproduce", "--help"],
    ] {
        let help = text(&carom(arguments).stdout);
        let example = help
            .lines()
            .skip_while(|line| !line.starts_with("Example:"))
            .nth(1)
            .unwrap_or_else(|| panic!("no example in {arguments:?}:\n{help}"));
        // The words between the program's name and the redirection are its arguments.
        let words: Vec<&str> = example
            .split_whitespace()
            .skip(1)
            .take_while(|word| *word != ">")
            .collect();
        assert_eq!(carom(&words).status.code(), Some(0), "{example}");
    }
}

#[test]
fn wrong_input_ends_with_2_and_leaves_stdout_empty() {
    for arguments in [
        &[][..],
        &["runn"],
        &["run"],
        &["completions"],
        &["completions", "cmd.exe"],
        &["completions", "bash", "zsh"],
        &["reproduce"],
        &["reproduce", "s1-fig99", "--json"],
        &["reproduce", "--list", "--all"],
        &["--verbose"],
        &["\u{1F3B1}"],
        &[""],
    ] {
        let out = carom(arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(out.stdout.is_empty(), "{arguments:?}");
        assert!(!out.stderr.is_empty(), "{arguments:?}");
        assert!(!text(&out.stderr).contains("panicked"), "{arguments:?}");
    }
}

#[test]
fn an_unknown_command_is_answered_with_the_nearest_name() {
    for (given, named) in [
        ("completion", "completions"),
        ("runn", "`run`"),
        ("compar", "`compare`"),
        ("advize", "`advise`"),
        ("xyzzy", "`completions`"),
    ] {
        let message = text(&carom(&[given]).stderr);
        assert!(
            message.contains(given) && message.contains(named),
            "{given}:\n{message}"
        );
    }
}

#[test]
fn completions_name_the_program_in_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let out = carom(&["completions", shell]);
        assert_eq!(out.status.code(), Some(0), "{shell}");
        let script = text(&out.stdout);
        assert!(
            script.contains("carom") && script.contains("completions"),
            "{shell}"
        );
    }
}

#[test]
fn completions_for_bash_are_a_script_bash_can_read() {
    let Ok(mut bash) = Command::new("bash")
        .arg("-n")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
    else {
        eprintln!("no bash on this machine: nothing to check with");
        return;
    };
    let script = carom(&["completions", "bash"]).stdout;
    bash.stdin
        .take()
        .expect("stdin is piped")
        .write_all(&script)
        .expect("bash reads its input");
    let out = bash.wait_with_output().expect("bash ends");
    assert!(out.status.success(), "{}", text(&out.stderr));
}

#[test]
fn a_reader_that_goes_away_is_not_an_error() {
    for arguments in [&["--help"][..], &["completions", "bash"], &["laws"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // Closed before the program has written a byte, most likely: the hardest case.
        drop(child.stdout.take());
        let mut message = String::new();
        child
            .stderr
            .take()
            .expect("stderr is piped")
            .read_to_string(&mut message)
            .expect("stderr is readable");
        let status = child.wait().expect("the program ends");
        assert_eq!(message, "", "{arguments:?}");
        assert_eq!(status.code(), Some(0), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_that_is_said() {
    for arguments in [&["--help"][..], &["completions", "bash"], &["laws"]] {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("/dev/full is there on Linux");
        let out = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(arguments)
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .expect("the program starts");
        assert_eq!(out.status.code(), Some(1), "{arguments:?}");
        assert!(text(&out.stderr).contains("cannot write"), "{arguments:?}");
    }
}

#[test]
fn a_figure_is_written_and_a_claim_that_does_not_hold_is_no_failure() {
    let folder = std::env::temp_dir().join(format!("carom-reproduce-{}", std::process::id()));
    let place = folder.to_str().expect("the folder has a name");
    let out = carom(&["reproduce", "s1-fig5", "s0-fig7", "--out", place]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let said = text(&out.stdout);
    assert!(
        said.contains("DOES NOT HOLD") && said.contains("16.469 %"),
        "{said}"
    );
    for file in ["s1-fig5.svg", "s1-fig5.png", "s1-fig5.csv", "s0-fig7.svg"] {
        let size = std::fs::metadata(folder.join(file))
            .map(|m| m.len())
            .unwrap_or(0);
        assert!(size > 1000, "{file}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");

    let out = carom(&["reproduce", "s1-fig3", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    assert_eq!(value[0]["id"], "s1-fig3");
    assert_eq!(value[0]["claims"][0]["holds"], true);

    // A folder that cannot be made is wrong input where a file stands in its way, which is seen beforehand; else it is a failure.
    for (place, code) in [("/dev/null/figures".into(), 2), ("x".repeat(5000), 1)] {
        let out = carom(&["reproduce", "s1-fig3", "--out", &place]);
        assert_eq!(out.status.code(), Some(code), "{}", text(&out.stderr));
        assert!(text(&out.stderr).contains(&place));
    }
}
