//! What the compiler cannot keep of the architecture: who may import whom within the core and within the page, how large
//! the cycles of imports are, and how the page asks the browser for callbacks. Reads every path in the sources, also those inside macros.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules of the core and those they may import besides themselves, from the inside out. Between the crates the
/// compiler keeps the order.
const RULES: &[(&str, &[&str])] = &[
    ("bytes", &[]),
    ("counted", &[]),
    ("delimited", &[]),
    ("model", &[]),
    ("slices", &[]),
    ("template", &["bytes", "model"]),
    ("engine", &["bytes", "model", "template"]),
    ("lint", BASE),
    ("proof", BASE),
    (
        "export",
        &[
            "delimited",
            "model",
            "slices",
            "template",
            "engine",
            "proof",
            "lint",
            "text",
        ],
    ),
    (
        "import",
        &["delimited", "model", "template", "engine", "export"],
    ),
    ("persist", BASE),
    ("text", &["model", "engine", "lint"]),
    ("library", &["model", "template", "engine", "persist"]),
    // It only names the modules below it.
    ("lib", &[]),
];
const BASE: &[&str] = &["delimited", "model", "template", "engine"];

/// The wrong imports of a source file of the core, each as `file: module may not import path`.
fn wrong_imports(file: &str, source: &str) -> Vec<String> {
    let modules = modules(file);
    let from = modules[0].as_str();
    let Some((_, allowed)) = RULES.iter().find(|(name, _)| *name == from) else {
        return vec![format!("{file}: no rule for the module `{from}`")];
    };
    let may = |to: &str| to == from || allowed.contains(&to);
    let wrong = paths(&tokens(file, source)).into_iter().filter(|path| {
        let to = resolve(&modules, path);
        to.is_some_and(|to| !to.first().is_some_and(|to| may(to)))
    });
    wrong
        .map(|path| format!("{file}: {from} may not import {}", path.join("::")))
        .collect()
}

fn tokens(file: &str, source: &str) -> Vec<Token> {
    let stream: TokenStream = source.parse().unwrap_or_else(|e| panic!("{file}: {e}"));
    let mut tokens = Vec::new();
    flatten(stream, &mut tokens);
    tokens
}

/// The module path of a file under `src`: `lint/table.rs` is `lint`, `table`.
fn modules(file: &str) -> Vec<String> {
    let mut modules: Vec<String> = file
        .trim_end_matches(".rs")
        .split('/')
        .map(str::to_owned)
        .collect();
    if modules.last().is_some_and(|last| last == "mod") {
        modules.pop();
    }
    modules
}

/// Where a path leads, as seen from a module; `None` if it leads out of the crate.
fn resolve(modules: &[String], path: &[String]) -> Option<Vec<String>> {
    let mut at = match path[0].as_str() {
        "crate" => Vec::new(),
        "self" | "super" => modules.to_vec(),
        _ => return None,
    };
    for name in path {
        match name.as_str() {
            "crate" | "self" => {}
            "super" => {
                at.pop();
            }
            name => at.push(name.to_owned()),
        }
    }
    Some(at)
}

#[derive(Debug, PartialEq)]
enum Token {
    Name(String),
    Colon,
    Comma,
    Open,
    Close,
    Other,
}

fn flatten(stream: TokenStream, out: &mut Vec<Token>) {
    for tree in stream {
        match tree {
            TokenTree::Ident(name) => out.push(Token::Name(name.to_string())),
            TokenTree::Punct(punct) if punct.as_char() == ':' => out.push(Token::Colon),
            TokenTree::Punct(punct) if punct.as_char() == ',' => out.push(Token::Comma),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                out.push(Token::Open);
                flatten(group.stream(), out);
                out.push(Token::Close);
            }
            TokenTree::Group(group) => {
                out.push(Token::Other);
                flatten(group.stream(), out);
                out.push(Token::Other);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => out.push(Token::Other),
        }
    }
}

/// All paths of two or more names, with the groups of `use` written out.
fn paths(tokens: &[Token]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let begins = at < 2 || !is_separator(tokens, at - 2);
        if begins && matches!(tokens[at], Token::Name(_)) && is_separator(tokens, at + 1) {
            expand(tokens, at, Vec::new(), &mut found);
        }
    }
    found
}

fn is_separator(tokens: &[Token], at: usize) -> bool {
    tokens.get(at..at + 2) == Some(&[Token::Colon, Token::Colon])
}

/// Collects the paths that begin with `prefix` and go on at `at`; returns where they end.
fn expand(
    tokens: &[Token],
    mut at: usize,
    mut prefix: Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> usize {
    loop {
        match tokens.get(at) {
            Some(Token::Name(name)) => {
                prefix.push(name.clone());
                at += 1;
                if !is_separator(tokens, at) {
                    break;
                }
                at += 2;
            }
            Some(Token::Open) => {
                at += 1;
                while at < tokens.len() && tokens[at] != Token::Close {
                    at = expand(tokens, at, prefix.clone(), found);
                    // `as name`, then the comma.
                    while at < tokens.len() && !matches!(tokens[at], Token::Comma | Token::Close) {
                        at += 1;
                    }
                    at += usize::from(tokens.get(at) == Some(&Token::Comma));
                }
                return at + 1;
            }
            _ => break,
        }
    }
    found.push(prefix);
    at
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
    out.sort();
}

/// The source files of a folder of the repository: the path below the folder and the text of each.
fn read_all(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 20, "the sources are read");
    let read = |file: PathBuf| {
        let source = std::fs::read_to_string(&file).expect("UTF-8");
        let name = (file.strip_prefix(&root).expect("under it"))
            .display()
            .to_string();
        (name.replace('\\', "/"), source)
    };
    files.into_iter().map(read).collect()
}

/// Holds every source file of a folder of the repository to a rule: `wrong` gets the path below the folder and the text,
/// and returns what is wrong.
fn hold_all(folder: &str, wrong: fn(&str, &str) -> Vec<String>) {
    let files = read_all(folder);
    let found: Vec<String> = (files.iter())
        .flat_map(|(name, source)| wrong(name, source))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_import_of_the_core_follows_the_rules() {
    hold_all("crates/core/src", wrong_imports);
}

/// The folders of the page and what each may import besides itself, from below. A folder, or one file of it.
const PAGE_LAYERS: &[(&str, &[&str])] = &[
    ("reactive", &[]),
    ("dom", &["reactive"]),
    ("state", &["reactive", "dom"]),
    // They take values and callbacks, and do not know the store of the design.
    ("widgets", &["reactive", "dom", "state/finding_mark"]),
    ("designs", &["reactive", "dom", "state"]),
    (
        "dialogs",
        &["reactive", "dom", "state", "widgets", "designs"],
    ),
    ("canvas", &["reactive", "dom", "state", "widgets"]),
    (
        "live_table",
        &["reactive", "dom", "state", "widgets", "dialogs"],
    ),
    (
        "inspector",
        &["reactive", "dom", "state", "widgets", "dialogs", "canvas"],
    ),
    (
        "exports",
        &["reactive", "dom", "state", "widgets", "designs", "canvas"],
    ),
    (
        "problems",
        &[
            "reactive",
            "dom",
            "state",
            "widgets",
            "canvas",
            "live_table",
        ],
    ),
    (
        "access_patterns",
        &[
            "reactive",
            "dom",
            "state",
            "widgets",
            "live_table",
            "exports",
        ],
    ),
    (
        "cost",
        &["reactive", "dom", "state", "widgets", "designs", "dialogs"],
    ),
    (
        "text_tab",
        &[
            "reactive", "dom", "state", "widgets", "designs", "dialogs", "canvas",
        ],
    ),
    (
        "shell",
        &[
            "reactive",
            "dom",
            "state",
            "widgets",
            "designs",
            "dialogs",
            "canvas",
            "live_table",
            "inspector",
            "exports",
            "problems",
            "access_patterns",
            "cost",
            "text_tab",
        ],
    ),
];

/// The imports of a file of the page that its folder may not have, each as `file: folder may not import path`.
fn wrong_layers(file: &str, source: &str) -> Vec<String> {
    let modules = modules(file);
    let [ui, folder, ..] = modules.as_slice() else {
        return Vec::new();
    };
    if ui != "ui" {
        return Vec::new();
    }
    let Some((_, allowed)) = PAGE_LAYERS.iter().find(|(name, _)| name == folder) else {
        return vec![format!("{file}: no layer for `{folder}`")];
    };
    let may = |to: &[String]| {
        to[0] == *folder
            || allowed
                .iter()
                .any(|allowed| to.iter().map(String::as_str).take(2).eq(allowed.split('/')))
            || allowed.contains(&to[0].as_str())
    };
    let wrong = paths(&tokens(file, source)).into_iter().filter(|path| {
        let to = resolve(&modules, path);
        to.is_some_and(|to| to.len() > 1 && to[0] == "ui" && !may(&to[1..]))
    });
    wrong
        .map(|path| format!("{file}: {folder} may not import {}", path.join("::")))
        .collect()
}

#[test]
fn every_import_of_the_page_follows_its_layers() {
    hold_all("src", wrong_layers);
}

#[test]
fn a_wrong_import_in_the_page_is_found() {
    for (file, import, allowed) in [
        (
            "ui/state/store/mod.rs",
            "crate::ui::shell::notice_list::NoticeList",
            false,
        ),
        ("ui/state/store/mod.rs", "super::notices::Notices", true),
        (
            "ui/widgets/field.rs",
            "crate::ui::state::store::use_store",
            false,
        ),
        (
            "ui/widgets/field.rs",
            "crate::ui::state::finding_mark::Mark",
            true,
        ),
        (
            "ui/canvas/card.rs",
            "crate::ui::{inspector::Inspector, dom::tints::tint}",
            false,
        ),
        (
            "ui/canvas/gestures/mod.rs",
            "super::handle::CanvasHandle",
            true,
        ),
        ("ui/shell/panel.rs", "crate::ui::exports::CodePanel", true),
        ("ui/new.rs", "crate::ui::dom::focus", false),
        ("platform/clock.rs", "crate::ui::shell::x", true),
    ] {
        let wrong = wrong_layers(file, &format!("use {import};"));
        assert_eq!(wrong.is_empty(), allowed, "{file}: {import}: {wrong:?}");
    }
}

/// The most files of the page that may import each other in a cycle.
const MAX_CYCLE: usize = 5;
/// The same of crates. They only go down.
const MAX_CYCLE_OF_CORE: usize = 20;
/// The rules name what all rules share, in the module that lists them.
const MAX_CYCLE_OF_LINT: usize = 41;
const MAX_CYCLE_OF_APP: usize = 8;
const MAX_CYCLE_OF_IMPORT: usize = 3;

/// Which files import which, by `use` lines and paths; a `mod` line alone is no import. A path leads to the file of the
/// longest module that it names. In `mod.rs` a path may begin with a module of the folder.
fn imports(files: &[(String, String)]) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let all: BTreeSet<Vec<String>> = files.iter().map(|(name, _)| modules(name)).collect();
    let found = files.iter().map(|(name, source)| {
        let own = modules(name);
        let child = |path: &[String]| {
            let child: Vec<String> = own.iter().chain(path.first()).cloned().collect();
            (name.ends_with("mod.rs") && all.contains(&child)).then_some(child)
        };
        let to_file = |path: &Vec<String>| {
            let mut to = resolve(&own, path).or_else(|| child(path))?;
            while !all.contains(&to) {
                to.pop()?;
            }
            (to != own).then_some(to)
        };
        let to = paths(&tokens(name, source));
        (own.clone(), to.iter().filter_map(to_file).collect())
    });
    found.collect()
}

/// The largest set of files each of which imports each other, directly or through others.
fn largest_cycle(files: &[(String, String)]) -> Vec<String> {
    let imports = imports(files);
    let reached = |from: &Vec<String>| {
        let mut reached: BTreeSet<&Vec<String>> = BTreeSet::new();
        let mut open: Vec<&Vec<String>> = imports[from].iter().collect();
        while let Some(next) = open.pop() {
            if reached.insert(next) {
                open.extend(&imports[next]);
            }
        }
        reached
    };
    let all: BTreeMap<_, _> = imports.keys().map(|file| (file, reached(file))).collect();
    let cycle = |(file, reached): (&&Vec<String>, &BTreeSet<&Vec<String>>)| {
        let back = reached.iter().filter(|to| all[**to].contains(*file));
        back.map(|file| file.join("/")).collect::<Vec<_>>()
    };
    let cycles = all.iter().map(cycle);
    cycles.max_by_key(Vec::len).unwrap_or_default()
}

/// Fails if more than `most` files import each other.
fn hold_cycle(files: &[(String, String)], most: usize) {
    let cycle = largest_cycle(files);
    assert!(
        cycle.len() <= most,
        "{} files import each other, {most} may:\n{}",
        cycle.len(),
        cycle.join("\n")
    );
}

#[test]
fn files_of_the_page_import_each_other_in_small_cycles_only() {
    let mut files = read_all("src");
    files.retain(|(name, _)| name.starts_with("ui/"));
    hold_cycle(&files, MAX_CYCLE);
}

#[test]
fn files_of_the_crates_import_each_other_in_small_cycles_only() {
    let core = read_all("crates/core/src");
    let (lint, others) =
        (core.into_iter()).partition::<Vec<_>, _>(|(name, _)| name.starts_with("lint/"));
    hold_cycle(&lint, MAX_CYCLE_OF_LINT);
    hold_cycle(&others, MAX_CYCLE_OF_CORE);
    hold_cycle(&read_all("crates/app/src"), MAX_CYCLE_OF_APP);
    hold_cycle(&read_all("crates/import/src"), MAX_CYCLE_OF_IMPORT);
}

#[test]
fn a_cycle_of_six_files_is_found() {
    let file = |(name, source): (&str, &str)| (name.to_owned(), source.to_owned());
    let ring = [
        ("ui/mod.rs", "mod a; mod b; mod c; mod shell;"),
        ("ui/a.rs", "use super::b::B; use std::sync::Arc;"),
        ("ui/b.rs", "use crate::ui::{c::C, leaf};"),
        ("ui/c.rs", "fn f() { vec![super::d::D] }"),
        (
            "ui/d.rs",
            "/// See [`crate::ui::leaf`].\nuse crate::ui::shell::*;",
        ),
        ("ui/shell/mod.rs", "mod e; use e::E;"),
        ("ui/shell/e.rs", "use super::super::a::{self, A};"),
        ("ui/leaf.rs", "pub struct Leaf;"),
    ];
    let mut files: Vec<(String, String)> = ring.into_iter().map(file).collect();
    let six = ["ui/a", "ui/b", "ui/c", "ui/d", "ui/shell", "ui/shell/e"];
    assert_eq!(largest_cycle(&files), six);
    // Without one of the imports there is none.
    files[6].1.clear();
    assert_eq!(largest_cycle(&files).len(), 0);
    // A `mod` line is no import.
    files[7].1 = "use super::X;".to_owned();
    assert_eq!(largest_cycle(&files).len(), 0);
}

/// What makes the browser call back later. The view that asked may be gone by then.
const LATER: &[&str] = &[
    "queue_microtask",
    "request_animation_frame",
    "request_animation_frame_with_handle",
    "request_idle_callback",
    "request_idle_callback_with_handle",
    "set_interval",
    "set_interval_with_handle",
    "set_timeout",
    "set_timeout_with_handle",
    "spawn_local",
    "tasks",
];

/// The callbacks that a file of the page asks for by itself.
fn unguarded_callbacks(file: &str, source: &str) -> Vec<String> {
    // `later` and its `sliced_task` guard them all. The page itself comes once the designs were read, and their queue goes on without it.
    let may = [
        "ui/reactive/later.rs",
        "ui/reactive/sliced_task.rs",
        "ui/mod.rs",
        "ui/designs/autosave.rs",
    ];
    if !file.starts_with("ui/") || may.contains(&file) {
        return Vec::new();
    }
    let found = tokens(file, source)
        .into_iter()
        .filter_map(|token| match token {
            Token::Name(name) if LATER.contains(&name.as_str()) => Some(name),
            _ => None,
        });
    found
        .map(|name| format!("{file}: `{name}`: use `ui::reactive::later`, which asks whether the view is still there"))
        .collect()
}

#[test]
fn nothing_in_the_page_is_called_back_after_its_view_is_gone() {
    hold_all("src", unguarded_callbacks);
}

#[test]
fn an_unguarded_callback_is_found() {
    let raw =
        "fn f() { effect(move || { request_animation_frame(move || signal.get_untracked()) }) }";
    assert_eq!(unguarded_callbacks("ui/shell/panel.rs", raw).len(), 1);
    assert_eq!(unguarded_callbacks("ui/reactive/later.rs", raw).len(), 0);
    assert_eq!(unguarded_callbacks("platform/tasks.rs", raw).len(), 0);
    let slices = "use crate::platform::tasks::soon; fn f() { soon(|| {}) }";
    assert_eq!(unguarded_callbacks("ui/state/store/x.rs", slices).len(), 1);
    let held = "fn f(view: View) { view.next_frame(move || signal.get_untracked()) }";
    assert_eq!(unguarded_callbacks("ui/shell/panel.rs", held).len(), 0);
}

/// The paths that are refused in a file, in order.
fn check(file: &str, source: &str, refused: &[&str]) {
    let wrong = wrong_imports(file, source);
    let paths: Vec<&str> = wrong
        .iter()
        .filter_map(|line| line.split(" may not import ").nth(1))
        .collect();
    assert_eq!(paths, refused, "{file}: {source}");
}

#[test]
fn a_wrong_import_is_found() {
    let engine = "engine/view.rs";
    check(engine, "use crate::model::{Design, id::IndexId};", &[]);
    check(
        engine,
        "use super::item::Item; use super::super::template::parse;",
        &[],
    );
    check(engine, "use crate::export::Code;", &["crate::export::Code"]);
    check(
        engine,
        "use super::super::lint::all;",
        &["super::super::lint::all"],
    );
    check(
        engine,
        "use crate::{proof, export::{self, yaml as y}, model::*};",
        &["crate::proof", "crate::export::self", "crate::export::yaml"],
    );
    check(
        engine,
        "fn f() { crate::persist::to_json(1) }",
        &["crate::persist::to_json"],
    );
    check(
        engine,
        "fn f() { vec![crate::lint::X] }",
        &["crate::lint::X"],
    );
    check(engine, "use serde_json::Value; use std::sync::Arc;", &[]);
    // Comments and texts are no imports.
    check(
        engine,
        "//! See `crate::lint::Rule`.\n/* crate::proof::x */ const A: &str = \"crate::lint::y\";",
        &[],
    );
}

#[test]
fn each_module_of_the_core_has_its_rule() {
    for (from, to, allowed) in [
        ("model/id.rs", "template", false),
        ("template/parse.rs", "model", true),
        ("template/mod.rs", "engine", false),
        ("export/rust/mod.rs", "engine", true),
        ("export/rust/mod.rs", "persist", false),
        ("export/samples.rs", "delimited", true),
        ("delimited.rs", "model", false),
        ("import/samples.rs", "engine", true),
        ("import/samples.rs", "export", true),
        ("export/samples.rs", "import", false),
        ("import/samples.rs", "persist", false),
        ("persist/read.rs", "engine", true),
        ("persist/read.rs", "library", false),
        ("library/mod.rs", "persist", true),
        ("lib.rs", "model", false),
    ] {
        let to = format!("crate::{to}::x");
        let refused: &[&str] = if allowed { &[] } else { &[&to] };
        check(from, &format!("use {to};"), refused);
    }
    let unknown = wrong_imports("new/mod.rs", "");
    assert_eq!(unknown, ["new/mod.rs: no rule for the module `new`"]);
}
