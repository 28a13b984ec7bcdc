//! Lines that are at other places than in a printed text: below another line of their access pattern, or among lines with
//! errors.

use super::super::node::Node;
use super::super::statement::Statement;
use super::super::syntax::SyntaxKind;
use super::pairs::aligned;
use rustc_hash::FxHashMap;

/// Puts the lines of an access pattern below the operation or the action that they belong to. `condition` and `key` can be
/// written below `returns`, too.
pub(super) fn regroup(pattern: &mut Statement) {
    let mut lines = Vec::new();
    flatten(std::mem::take(&mut pattern.children), &mut lines);
    for line in lines {
        let is_operation = |other: &Statement| other.kind == SyntaxKind::Operation;
        let operation = pattern.children.iter().position(is_operation);
        let is_of_action = matches!(line.word(), "condition" | "update");
        let owner = match (operation, line.kind) {
            (Some(at), SyntaxKind::Operation | SyntaxKind::BatchKey) => &mut pattern.children[at],
            (Some(at), SyntaxKind::Part) if is_of_action => {
                let operation = &mut pattern.children[at];
                match operation.children.iter().rposition(is_operation) {
                    Some(action) => &mut operation.children[action],
                    None => operation,
                }
            }
            _ => &mut *pattern,
        };
        owner.children.push(line);
    }
}

fn flatten<'t>(statements: Vec<Statement<'t>>, out: &mut Vec<Statement<'t>>) {
    for mut statement in statements {
        let children = std::mem::take(&mut statement.children);
        out.push(statement);
        flatten(children, out);
    }
}

/// Gives statements whose key is a position the position that they have in `before`: lines with errors are not counted
/// in `said`, which the text says. What the design does not have yet gets no key.
pub(super) fn name_as_before(
    source: &[Statement],
    before: &[Node],
    said: &[Node],
    keys: &mut [Option<String>],
) {
    let renamed = aligned(before, said);
    let places: FxHashMap<&str, usize> =
        (said.iter().enumerate().map(|(at, node)| (&*node.key, at))).collect();
    let known: FxHashMap<&str, &Node> = (before.iter())
        .rev()
        .map(|node| (&*node.key, node))
        .collect();
    for statement in source {
        let key = keys[statement.number].as_deref();
        let Some(at) = key.and_then(|key| places.get(key).copied()) else {
            continue;
        };
        let key = &renamed[at].key;
        let known = known.get(&**key).copied();
        if let Some(known) = known {
            let children = &said[at].children;
            name_as_before(&statement.children, &known.children, children, keys);
        }
        if key.contains('#') {
            keys[statement.number] = known.map(|_| key.clone());
        }
    }
}
