//! The start of the page: what its address asks for (`?stress=`), and the designs.

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
        near: parameters.get("view").as_deref() == Some("near"),
    }
}

/// What the page starts with: the benchmark design named in the URL, otherwise a stored one.
pub async fn start() -> Start {
    if let Some(name) = url_options().stress
        && let Ok(by_name) = benchmark_design().await
        && let Some(design) = by_name(&name)
    {
        return Start::benchmark(design);
    }
    Start::stored().await
}
