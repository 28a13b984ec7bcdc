//! The findings of the library's designs.

use keyfold_core::library::patterns;
use keyfold_core::lint::lint;

#[test]
fn findings_of_the_library() {
    let mut text = String::new();
    for pattern in patterns() {
        let design = pattern.design().expect("sound");
        let report = lint(&design);
        text += &format!("# {}\n", pattern.name);
        for finding in &report.findings {
            let place = finding.place;
            let silenced = match &finding.silenced {
                Some(reason) => format!(" (silenced: {reason})"),
                None => String::new(),
            };
            text += &format!(
                "{} {} {place}{silenced}\n  {}\n",
                finding.code,
                finding.severity.label(),
                finding.message
            );
            for example in &finding.examples {
                text += &format!("    {example}\n");
            }
        }
        assert_eq!(report.needless, Vec::<usize>::new(), "{}", pattern.name);
    }
    insta::assert_snapshot!(text);
}
