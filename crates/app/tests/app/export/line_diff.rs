//! Text diffs, compared with general properties of diffs and with the length of the longest common subsequence.

use keyfold_app::export::{DiffLine, LineChange, diff_pieces, line_diff};
use keyfold_test_support::cases;
use proptest::prelude::*;

/// Each line of the diff after `+`, `-` or a space.
fn marked(old: &str, new: &str) -> Vec<String> {
    let line = |line: &DiffLine| {
        let mark = match line.mark {
            LineChange::Same => ' ',
            LineChange::Added => '+',
            LineChange::Removed => '-',
        };
        format!("{mark}{}", line.text)
    };
    line_diff(old, new).iter().map(line).collect()
}

#[test]
fn lines() {
    for (old, new, wanted) in [
        ("", "", &[][..]),
        ("a\n", "a\n", &[" a"]),
        ("a\n", "a", &[" a"]),
        ("", "a\nb\n", &["+a", "+b"]),
        ("a\nb\n", "", &["-a", "-b"]),
        ("a\nb\nc\n", "a\nx\nc\n", &[" a", "-b", "+x", " c"]),
        ("a\na\n", "a\n", &[" a", "-a"]),
        ("a\nb\n", "b\nc\n", &["-a", " b", "+c"]),
        ("a\nb\nc\nd\n", "b\nd\ne\n", &["-a", " b", "-c", " d", "+e"]),
    ] {
        assert_eq!(marked(old, new), wanted, "{old:?} {new:?}");
    }
}

#[test]
fn lines_far_from_a_change_are_omitted() {
    let lines = |changed: usize| -> String {
        (1..=20)
            .map(|n| {
                if n == changed {
                    "new\n".to_owned()
                } else {
                    format!("{n}\n")
                }
            })
            .collect()
    };
    let pieces = diff_pieces(&lines(0), &lines(10));
    let wanted = [
        (LineChange::Same, "⋯ 6 unchanged lines\n  7\n  8\n  9\n"),
        (LineChange::Removed, "- 10\n"),
        (LineChange::Added, "+ new\n"),
        (LineChange::Same, "  11\n  12\n  13\n⋯ 7 unchanged lines\n"),
    ];
    let shown: Vec<_> = pieces
        .iter()
        .map(|(mark, text)| (*mark, text.as_str()))
        .collect();
    assert_eq!(shown, wanted);
    // One omitted line is not shorter than its replacement.
    let pieces = diff_pieces("1\n2\n3\n4\n5\n", "1\n2\n3\n4\nx\n");
    assert_eq!(pieces[0].1, "  1\n  2\n  3\n  4\n");
    assert_eq!(
        diff_pieces("same\n", "same\n"),
        [(LineChange::Same, "  same\n".to_owned())]
    );
}

/// The length of the longest common subsequence.
fn common(old: &[&str], new: &[&str]) -> usize {
    let mut row = vec![0; new.len() + 1];
    for a in old {
        let mut corner = 0;
        for (at, b) in new.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b {
                corner + 1
            } else {
                above.max(row[at])
            };
            corner = above;
        }
    }
    row[new.len()]
}

/// Checks that a diff is correct. Returns the number of lines it keeps.
fn kept(old: &str, new: &str) -> usize {
    let diff = line_diff(old, new);
    let of = |gone: LineChange| -> Vec<&str> {
        let kept = diff.iter().filter(|line| line.mark != gone);
        kept.map(|line| line.text).collect()
    };
    let (olds, news): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    assert_eq!(
        of(LineChange::Added),
        olds,
        "kept and removed lines are the old text"
    );
    assert_eq!(
        of(LineChange::Removed),
        news,
        "kept and added lines are the new text"
    );
    let same = diff.iter().filter(|line| line.mark == LineChange::Same);
    same.count()
}

/// The most lines that a diff can keep.
fn most(old: &str, new: &str) -> usize {
    let (olds, news): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    common(&olds, &news)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn diffs_are_correct_and_minimal(old in "([abc]?\n){0,14}", new in "([abc]?\n){0,14}") {
        prop_assert_eq!(kept(&old, &new), most(&old, &new), "no diff is shorter");
    }
}

#[test]
fn texts_without_common_lines_are_one_change() {
    let text = |word: &str| {
        (0..3000)
            .map(|n| format!("{word}{n}\n"))
            .collect::<String>()
    };
    let (old, new) = (text("a"), text("b"));
    let diff = line_diff(&old, &new);
    assert_eq!(diff.len(), 6000);
    assert!(
        diff[..3000]
            .iter()
            .all(|line| line.mark == LineChange::Removed)
    );
}

/// Each piece of the search ends where the next one begins, however many there are.
#[test]
fn many_changes_are_found_one_by_one() {
    let text = |step: usize| -> String {
        let line = |n: usize| match step > 0 && n.is_multiple_of(step) {
            true => format!("changed {n}\n"),
            false => format!("line {n}\n"),
        };
        (1..=3000).map(line).collect()
    };
    for step in [2, 3, 7, 500] {
        let (old, new) = (text(0), text(step));
        let (kept, most) = (kept(&old, &new), most(&old, &new));
        assert!(kept * 10 > most * 8, "{kept} of {most} lines");
    }
}
