//! What is said of a text that is no JSON, in plain words.

use serde_json::Error;

/// What is wrong, without the place.
pub fn json_fault(error: &Error) -> String {
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or_default();
    let plain = match said {
        _ if error.is_eof() => "it ends too early",
        "expected value" => "a value is expected here",
        "expected ident" => "only true, false and null stand without quotation marks",
        "key must be a string" => "a name in quotation marks is expected here",
        "trailing characters" => "it goes on after its end",
        "trailing comma" => "nothing follows this comma",
        "recursion limit exceeded" => {
            return "this JSON is nested too deeply (more than 127 levels)".to_owned();
        }
        _ if said.starts_with("control character") => {
            "a line break in a text is written \\n, and a tab \\t"
        }
        said => said,
    };
    ["this is not JSON: ", plain].concat()
}

/// What is wrong, and where: `line 2, column 3: this is not JSON: a value is expected here`.
pub fn json_fault_at(error: &Error) -> String {
    let (line, column) = (error.line(), error.column().max(1));
    format!("line {line}, column {column}: {}", json_fault(error))
}
