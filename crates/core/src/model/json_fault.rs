//! Plain-language messages for invalid JSON.

use serde_json::Error;

/// The message without the position.
pub fn json_fault(error: &Error) -> String {
    let serde_message = error.to_string();
    let serde_message = serde_message.split(" at line ").next().unwrap_or_default();
    let plain = match serde_message {
        _ if error.is_eof() => "it ends too early",
        "expected value" => "expected a value here",
        "expected ident" => "only true, false and null are written without quotation marks",
        "key must be a string" => "expected a name in quotation marks here",
        "trailing characters" => "there is text after its end",
        "trailing comma" => "remove the comma before this place, or add a value",
        "recursion limit exceeded" => {
            return "this JSON is nested too deeply (more than 127 levels)".to_owned();
        }
        _ if serde_message.starts_with("control character") => {
            "write a line break in a string as \\n and a tab as \\t"
        }
        serde_message => serde_message,
    };
    ["this is not JSON: ", plain].concat()
}

/// The message with the position: `line 2, column 3: this is not JSON: expected a value here`.
pub fn json_fault_at(error: &Error) -> String {
    let (line, column) = (error.line(), error.column().max(1));
    format!("line {line}, column {column}: {}", json_fault(error))
}
