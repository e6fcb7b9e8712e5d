use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;

/// The program with these arguments, its three streams piped.
pub(crate) fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_afterstate"));
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the program on an input and waits for its end.
pub(crate) fn run(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = program(args).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.as_ref();
    thread::scope(|scope| {
        // On a thread of its own: both pipes may be full at once.
        scope.spawn(move || match stdin.write_all(input) {
            // A program that has seen enough reads no further.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("{error}"),
            _ => (),
        });
        child.wait_with_output().expect("the program ends")
    })
}

/// What the program prints when all is well.
#[track_caller]
pub(crate) fn printed(args: &[&str], input: impl AsRef<[u8]>) -> String {
    let output = run(args, input);
    assert_eq!(text(&output.stderr), "", "{args:?}");
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    text(&output.stdout)
}

/// What the program prints before it ends with exactly this message.
#[track_caller]
pub(crate) fn assert_error(args: &[&str], input: impl AsRef<[u8]>, message: &str) -> String {
    let output = run(args, input);
    let error = format!("error: {message}\n");
    assert_eq!(text(&output.stderr), error, "{args:?}");
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    text(&output.stdout)
}

/// Bytes that the program wrote, all of them text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program writes UTF-8")
}

/// A file of this repository.
pub(crate) fn file(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
