//! The lines of the workload.

use super::super::cursor::write_name;
use super::super::node::Node;
use super::super::syntax::SyntaxKind;
use super::pattern::part;
use super::settings::setting;
use crate::model::{Design, PutShares, Traffic, Volume, Workload};

/// The lines of an access pattern's traffic.
pub(super) fn traffic(traffic: &Traffic) -> Vec<Node> {
    let Traffic {
        average,
        puts,
        items,
        failed,
        parameters,
    } = traffic;
    let mut out = Vec::new();
    out.extend(average.map(|rate| part("average", rate.to_string())));
    out.extend(puts.map(|puts| part("puts", shares(puts))));
    out.extend(items.map(|items| part("items", items.to_string())));
    out.extend(failed.map(|failed| part("failed", format!("{failed}%"))));
    for (name, skew) in parameters {
        let rest = format!("{} {skew}", write_name(name, &[]));
        let mut line = part("skew", rest);
        line.key = format!("skew:{name}");
        out.push(line);
    }
    out
}

/// `creates 60%, updates 30%, deletes 10%`
fn shares(puts: PutShares) -> String {
    let PutShares {
        creates,
        updates,
        deletes,
    } = puts;
    let deletes = match deletes {
        0.0 => String::new(),
        deletes => format!(", deletes {deletes}%"),
    };
    format!("creates {creates}%, updates {updates}%{deletes}")
}

/// The line of an entity's volume.
pub(super) fn volume(volume: &Volume) -> Node {
    let Volume {
        items,
        growth,
        retention,
        bytes,
    } = volume;
    let parts = [
        items.map(|items| format!("{items} items")),
        growth.map(|growth| format!("{growth:+} per month")),
        retention.map(|days| format!("{days} days")),
        bytes.map(|bytes| format!("{bytes} bytes")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    setting("volume", parts.join(", "))
}

/// The block of costs; `None` if nothing is stated.
pub(super) fn costs(design: &Design) -> Option<Node> {
    let Workload {
        patterns: _,
        entities: _,
        region,
        prices,
        backup_gb,
        export_gb,
    } = &*design.workload;
    let mut node = Node::new("costs", SyntaxKind::Costs, "costs");
    let out = &mut node.children;
    out.extend((region.as_ref()).map(|region| setting("region", write_name(region, &[]))));
    out.extend(backup_gb.map(|size| setting("backups", format!("{size} GB"))));
    out.extend(export_gb.map(|size| setting("exported", format!("{size} GB per month"))));
    for (name, price) in prices {
        let mut line = setting("price", format!("{} = {price}", write_name(name, &["="])));
        line.key = format!("price:{name}");
        out.push(line);
    }
    (!node.children.is_empty()).then_some(node)
}
