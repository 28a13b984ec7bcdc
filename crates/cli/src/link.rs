//! `keyfold link`: a link that contains a design.

use crate::args::LinkArgs;
use crate::outcome::{Outcome, Refusal};
use crate::source::{place, read_source};
use keyfold_app::share_link::{advice, encode};

/// Prints the link, with a remark if it is too long for common chats.
pub fn link(args: &LinkArgs) -> Result<Outcome, Refusal> {
    let source = read_source(&args.design)?;
    let base = args.base.split('#').next().unwrap_or_default();
    let link = |samples| {
        let fragment = encode(&source.design, samples);
        let fragment =
            fragment.map_err(|error| Refusal(format!("{}: {error}", place(&args.design))))?;
        Ok([base, &fragment].concat())
    };
    let printed = link(!args.no_samples)?;
    let without_samples = match args.no_samples || source.design.samples.is_empty() {
        true => None,
        false => Some(link(false)?.len()),
    };
    let mut outcome = Outcome::text(format!("{printed}\n"));
    outcome.remarks = source.warnings;
    if let Some(advice) = advice(printed.len(), without_samples) {
        outcome.remarks += &format!("keyfold: {advice}\n");
    }
    Ok(outcome)
}
