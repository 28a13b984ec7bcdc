//! The start of the page: what its address asks for (`?stress=`, the design of a link), and the designs.

use super::shared::{linked, not_opened};
use crate::ui::designs::Start;
use crate::ui::reactive::on_demand::on_demand;
use keyfold_app::stress;
use keyfold_core::model::Design;
use leptos::prelude::*;

on_demand!(benchmark, benchmark_design: fn(&str) -> Option<Design> = stress::by_name);

/// The options in the page's URL.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct UrlOptions {
    /// `?stress=N`, `?stress=items:N`: a generated design of N entities or items.
    stress: Option<String>,
    /// `?embed`: only the canvas and the table of the link's design.
    pub(super) embed: bool,
    /// `view=near`: 1:1 zoom instead of everything in view.
    pub(super) near: bool,
}

pub(super) fn url_options() -> UrlOptions {
    let search = window().location().search().unwrap_or_default();
    let Ok(parameters) = web_sys::UrlSearchParams::new_with_str(&search) else {
        return UrlOptions::default();
    };
    UrlOptions {
        stress: parameters.get("stress"),
        embed: parameters.has("embed"),
        near: parameters.get("view").as_deref() == Some("near"),
    }
}

/// What the page starts with: the benchmark design named in the URL, the design that the URL contains, otherwise a stored
/// one.
pub async fn start() -> Start {
    if let Some(name) = url_options().stress
        && let Ok(by_name) = benchmark_design().await
        && let Some(design) = by_name(&name)
    {
        return Start::benchmark(design);
    }
    match linked().await {
        None => Start::stored().await,
        Some(Ok(design)) => Start::shared(design),
        Some(Err(reason)) => {
            let mut start = Start::stored().await;
            start.say(not_opened(&reason));
            start
        }
    }
}
