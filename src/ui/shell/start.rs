//! The start of the page: what its address asks for (`?stress=`, the design of a link), and the designs.

use crate::platform::address;
use crate::ui::designs::Start;
use crate::ui::reactive::on_demand::on_demand;
use keyfold_app::share_link::{self, LinkError};
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

on_demand!(menus, link_reader: fn(&str) -> Result<Design, LinkError> = share_link::decode);

/// The design of the link in the address.
async fn linked() -> Result<Design, String> {
    let read = link_reader().await.map_err(|error| error.to_string())?;
    read(&address::fragment()).map_err(|error| error.to_string())
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
    if !share_link::is_link(&address::fragment()) {
        return Start::stored().await;
    }
    match linked().await {
        Ok(design) => Start::shared(design),
        Err(reason) => {
            let mut start = Start::stored().await;
            start.say(format!("The shared design was not opened: {reason}"));
            start
        }
    }
}
