//! The canvas: cards of HTML in one world layer that carries pan and zoom as a single transform, wires as SVG
//! in the same layer. Every card and every wire listens to its own signals only.

mod card;
mod culling;
mod edit;
mod gestures;
pub mod hit;
mod marks;
mod minimap;
mod overview;
mod scene;
mod wires;
mod zoom_bar;

use crate::platform::clock;
use crate::ui::afterwards::Afterwards;
use crate::ui::desk::{Theme, use_desk};
use crate::ui::parts::erased::{For, Memo, RwSignal, Show, effect, memo};
use crate::ui::parts::focus::focus_soon;
use crate::ui::parts::resize::on_resize;
use crate::ui::parts::set_if_other;
use crate::ui::store::{ByPtr, Place, Store, use_store};
use card::{EntityCard, IndexCard, PrimaryCard};
use culling::Culling;
use gestures::Gestures;
use keyfold_app::session::{Area, Viewport};
use keyfold_app::{placement, route};
use keyfold_core::model::{CardId, IndexId, SortedMap};
use leptos::html::Section;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use marks::{Groups, Guides};
use minimap::Minimap;
use overview::Overview;
use scene::{Colours, Plate};
use std::sync::Arc;
use std::time::Duration;
use wires::{EntityWires, LooseWire};
use zoom_bar::ZoomBar;

/// Below this zoom a card is its head only.
const FAR: f64 = 0.4;
/// Height of the tools in the lower corner, in CSS pixels.
const TOOLS: f64 = 44.0;
/// From this zoom on wires carry their templates.
const CLOSE: f64 = 0.75;
/// After how long without a turn the wheel rests, in milliseconds.
const REST: f64 = 250.0;
/// From this width on there is room for an entity on the left of the table, in CSS pixels.
pub const ROOM: f64 = 640.0;
/// Distance of an empty design's table from the right edge, in CSS pixels.
const MARGIN: f64 = 32.0;
/// Distance of the dots of the grid at 1:1.
const GRID: f64 = 24.0;

/// What the canvas offers to the rest of the page. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct CanvasHandle {
    region: NodeRef<Section>,
    store: Store,
    /// Whether a gesture is under way.
    busy: RwSignal<bool>,
    /// Width and height of the region, in CSS pixels; (0, 0) before it is in the page.
    size: RwSignal<(f64, f64)>,
    /// All cards as boxes.
    scene: Memo<ByPtr<Vec<Plate>>>,
    /// The colours of the theme that is shown.
    colours: RwSignal<Colours>,
    /// The index on which the wire that is being drawn would end.
    target: RwSignal<Option<CardId>>,
    /// The card under the pointer, whose wires are lit.
    hover: RwSignal<Option<CardId>>,
    /// What was seen when all cards were shown last. As long as nobody moves the view, all of them stay in sight.
    whole: StoredValue<Option<Viewport>>,
    /// Whether one pans with the wheel.
    sliding: RwSignal<bool>,
    /// When the wheel last panned, in milliseconds.
    slid: StoredValue<f64>,
    /// The card whose name is being edited in place.
    renaming: RwSignal<Option<CardId>>,
    /// The index whose item collections are shown as groups.
    pub groups: RwSignal<Option<IndexId>>,
    /// The areas of all cards, for wires to go around; empty in a large design.
    obstacles: Memo<Vec<(CardId, Area)>>,
    /// The areas of the labels of wires, which keep out of each other's way; empty in a large design.
    labels: StoredValue<SortedMap<hit::Wire, Area>>,
    /// Whether cards are drawn as their heads only.
    far: RwSignal<bool>,
    /// Whether all wires carry their templates.
    close: RwSignal<bool>,
    /// The text that was pasted last, and how often.
    pasted: StoredValue<Option<(String, i32)>>,
}

impl CanvasHandle {
    /// A handle for a canvas that is not in the page yet.
    pub fn new(store: Store) -> Self {
        let scene = memo(move |_| {
            store.cards.track();
            store.opened.track();
            let detail = store.detail.get();
            ByPtr(Arc::new(store.with(|design| scene::plates(design, detail))))
        });
        let (far, close) = (RwSignal::new(false), RwSignal::new(false));
        // No memos: each pan would then ask every card and wire that reads them.
        effect(move || {
            let zoom = store.viewport.get().zoom;
            set_if_other(far, zoom < FAR);
            set_if_other(close, zoom >= CLOSE);
        });
        CanvasHandle {
            scene,
            obstacles: memo(move |_| {
                scene.with(|plates| match plates.len() {
                    0..=route::MAX_OBSTACLES => plates.iter().map(|p| (p.card, p.area)).collect(),
                    _ => Vec::new(),
                })
            }),
            labels: StoredValue::default(),
            far,
            close,
            pasted: StoredValue::new(None),
            region: NodeRef::new(),
            store,
            busy: RwSignal::new(false),
            size: RwSignal::new((0.0, 0.0)),
            colours: RwSignal::new(Colours::default()),
            target: RwSignal::new(None),
            hover: RwSignal::new(None),
            whole: StoredValue::new(None),
            sliding: RwSignal::new(false),
            slid: StoredValue::new(f64::MIN),
            renaming: RwSignal::new(None),
            groups: RwSignal::new(None),
        }
    }

    /// The topmost card at a canvas place, as the design has it.
    fn card_at(self, (x, y): Place) -> Option<CardId> {
        let at = Area {
            x,
            y,
            width: 0.0,
            height: 0.0,
        };
        self.scene.with_untracked(|plates| {
            let hit = plates.iter().rev().find(|plate| plate.area.intersects(at));
            hit.map(|plate| plate.card)
        })
    }

    /// Whether the card of an index is in sight.
    fn sees_index(self) -> bool {
        let (width, height) = self.size.get();
        let seen = self.store.viewport.get().visible(width, height);
        self.scene.with(|plates| {
            let is_seen = |plate: &Plate| plate.area.intersects(seen);
            (plates.iter()).any(|plate| matches!(plate.card, CardId::Index(_)) && is_seen(plate))
        })
    }

    /// Edits the name of the selected card in its head.
    pub fn rename(self) {
        let one = self
            .store
            .selection
            .with_untracked(|cards| match cards.len() {
                1 => cards.first().copied(),
                _ => None,
            });
        self.renaming.set(one);
    }

    /// Whether a gesture is under way that Escape would cancel.
    pub fn is_busy(self) -> bool {
        self.busy.get_untracked()
    }

    /// Width and height of the region, in CSS pixels.
    pub fn size(self) -> (f64, f64) {
        self.is_seen();
        let (width, height) = self.size.get_untracked();
        (width.max(1.0), height.max(1.0))
    }

    /// Whether the region is in the page and not hidden.
    pub fn is_seen(self) -> bool {
        if self.size.get_untracked() == (0.0, 0.0) {
            self.measure();
        }
        self.size.get_untracked() != (0.0, 0.0)
    }

    /// Takes the size of the region, which the page tells whenever it changes.
    fn measure(self) {
        if let Some(region) = self.region.get_untracked() {
            let size = (
                f64::from(region.client_width()),
                f64::from(region.client_height()),
            );
            let before = self.size.get_untracked();
            if before != size {
                self.size.set(size);
                let is_seen = before != (0.0, 0.0) && size != (0.0, 0.0);
                if is_seen && self.whole.get_value() == Some(self.store.viewport.get_untracked()) {
                    self.fit();
                }
            }
        }
    }

    /// Keeps the size and the colours up to date.
    fn follow_page(self, theme: RwSignal<Theme>) {
        on_resize(
            move || self.region.get().map(Into::into),
            move || self.measure(),
        );
        let read = move || self.colours.set(scene::colours());
        effect(move || {
            theme.track();
            // The theme is set on the page by an effect of its own.
            self.store.view.next_frame(read);
        });
        let media = window().match_media("(prefers-color-scheme: dark)");
        let media = media.ok().flatten();
        let system = Closure::<dyn Fn()>::new(read);
        if let Some(media) = &media {
            media.set_onchange(Some(system.as_ref().unchecked_ref()));
        }
        let system = StoredValue::new_local((media, system));
        on_cleanup(move || {
            system.with_value(|(media, _)| media.as_ref().map(|media| media.set_onchange(None)));
        });
    }

    /// Pans by a turn of the wheel, in CSS pixels.
    fn wheel(self, dx: f64, dy: f64) {
        self.store.viewport.update(|v| *v = v.panned(dx, dy));
        let (now, before) = (clock::now(), self.slid.get_value());
        self.slid.set_value(now);
        // One turn alone is not worth the layers.
        if now - before < REST && !self.sliding.get_untracked() {
            self.sliding.set(true);
            self.rest();
        }
    }

    /// The wheel no longer pans once it has rested.
    fn rest(self) {
        let rested = move || match self.slid.try_get_value() {
            Some(last) if clock::now() - last < REST => self.rest(),
            Some(_) => set_if_other(self.sliding, false),
            None => {}
        };
        (self.store.view).after(Duration::from_millis(REST as u64), rested);
    }

    /// The canvas place under a point of the window, if that is on the canvas.
    pub fn place_under(self, x: f64, y: f64) -> Option<(f64, f64)> {
        let rect = self.region.get_untracked()?.get_bounding_client_rect();
        let (x, y) = (x - rect.left(), y - rect.top());
        let inside = x >= 0.0 && y >= 0.0 && x <= rect.width() && y <= rect.height();
        inside.then(|| self.store.viewport.get_untracked().to_canvas(x, y))
    }

    /// The canvas place in the middle of the region.
    pub fn middle(self) -> (f64, f64) {
        let (width, height) = self.size();
        (self.store.viewport.get_untracked()).to_canvas(width / 2.0, height / 2.0)
    }

    /// Shows all cards. Without an entity, the table is on the right, where there is the room, so that the first one has
    /// its place on the left of it.
    pub fn fit(self) {
        self.fit_those(|_| true);
        let (width, _) = self.size();
        if width >= ROOM && self.store.entity_ids.with_untracked(Vec::is_empty) {
            let right = self.scene.with_untracked(|plates| {
                let ends = plates.iter().map(|plate| plate.area.x + plate.area.width);
                ends.fold(f64::MIN, f64::max)
            });
            (self.store.viewport).update(|v| v.x = width - MARGIN - right * v.zoom);
        }
        (self.whole).set_value(Some(self.store.viewport.get_untracked()));
    }

    /// Shows the selected cards, as large as they fit.
    pub fn fit_selection(self) {
        let selection = self.store.selection.get_untracked();
        self.fit_those(|card| selection.contains(&card));
    }

    fn fit_those(self, wanted: impl Fn(CardId) -> bool) {
        let all = self.scene.with_untracked(|plates| {
            let wanted = plates.iter().filter(|plate| wanted(plate.card));
            wanted.map(|plate| plate.area).reduce(Area::union)
        });
        if let Some(area) = all {
            let (width, height) = self.size();
            // Nothing is put under the tools in the lower corner.
            let free = (height - TOOLS).max(height / 2.0);
            (self.store.viewport).set(Viewport::fitting(area, width, free));
        }
    }

    /// Selects a card, brings it into view and gives it the keyboard focus.
    pub fn go_to(self, card: CardId) {
        self.store.select(card);
        self.reveal(card);
        self.focus(card);
    }

    /// Gives the region the keyboard focus.
    fn take_focus(self) {
        if let Some(region) = self.region.get_untracked() {
            let still = web_sys::FocusOptions::new();
            still.set_prevent_scroll(true);
            let _ = region.focus_with_options(&still);
        }
    }

    /// Gives a card the keyboard focus.
    fn focus(self, card: CardId) {
        // From afar it is only now put into the page.
        focus_soon(format!("[data-card=\"{card}\"]"));
    }

    /// Zooms by a factor around the middle.
    pub fn zoom(self, factor: f64) {
        let (width, height) = self.size();
        (self.store.viewport).update(|v| *v = v.zoomed(factor, width / 2.0, height / 2.0));
    }

    /// Sets 1:1 zoom around the middle.
    pub fn actual_size(self) {
        self.zoom(1.0 / self.store.viewport.get_untracked().zoom);
    }

    /// Pans as little as needed to bring a card into view.
    pub fn reveal(self, card: CardId) {
        let Some(area) = self
            .store
            .with(|design| placement::stored_area(design, card, self.store.detail.get_untracked()))
        else {
            return;
        };
        let (width, height) = self.size();
        self.store.viewport.update(|viewport| {
            let seen = viewport.visible(width, height);
            let shift = |from: f64, length: f64, seen_from: f64, seen_length: f64| {
                let margin = 24.0 / viewport.zoom;
                let before = (seen_from - (from - margin)).max(0.0);
                let after = (from + length + margin - (seen_from + seen_length)).max(0.0);
                // A card larger than the region shows its start.
                if before > 0.0 {
                    before
                } else {
                    -after.min((from - margin - seen_from).max(0.0))
                }
            };
            let dx = shift(area.x, area.width, seen.x, seen.width);
            let dy = shift(area.y, area.height, seen.y, seen.height);
            if dx != 0.0 || dy != 0.0 {
                *viewport = viewport.panned(dx * viewport.zoom, dy * viewport.zoom);
            }
        });
    }
}

/// The canvas region.
#[component]
pub fn Canvas(
    /// How the rest of the page reaches it.
    handle: CanvasHandle,
) -> impl IntoView {
    let store = use_store();
    let desk = use_desk();
    handle.follow_page(desk.theme);
    handle.follow_clipboard();
    let gestures = Gestures::new(store, handle);
    let viewport = store.viewport;
    let transform = move || {
        let Viewport { x, y, zoom } = viewport.get();
        format!("translate({x}px, {y}px) scale({zoom})")
    };
    let zoom = memo(move |_| viewport.get().zoom);
    // Far out the dots would run into one another: every fourth is enough.
    let grid = memo(move |_| {
        let step = GRID * zoom.get();
        if step < 10.0 { step * 4.0 } else { step }
    });
    let culling = Culling::new(store, handle);
    // Those of a large design that are out of sight come after its first frame, as what stands around the canvas does.
    let has_indexes =
        memo(move |before| before == Some(&true) || !store.unpainted.get() || handle.sees_index());
    let empty = memo(move |_| store.entity_ids.with(|ids| ids.is_empty()));
    view! {
        <section
            class="canvas"
            class:far=move || handle.far.get()
            tabindex="-1"
            class:panning=move || gestures.is_panning()
            class:sliding=move || handle.sliding.get() || gestures.is_panning()
            aria-label="Canvas"
            node_ref=handle.region
            on:pointerdown=move |event| gestures.down(&event)
            on:pointermove=move |event| gestures.moved(&event)
            on:pointerup=move |event| {
                // On Linux the middle button would paste what is marked somewhere.
                if event.button() == 1 {
                    event.prevent_default();
                }
                gestures.up(&event);
            }
            on:pointercancel=move |_| gestures.cancel()
            on:wheel=move |event| gestures.wheel(&event)
            on:keydown=move |event| gestures.key(&event)
            on:dblclick=move |event| gestures.double_click(&event)
            on:pointerover=move |event| gestures.over(&event)
            on:pointerleave=move |event| gestures.left(&event)
        >
            <div
                class="dots"
                style:inset=move || format!("-{}px", grid.get())
                style:background-size=move || format!("{0}px {0}px", grid.get())
                style:transform=move || {
                    let (Viewport { x, y, .. }, step) = (viewport.get(), grid.get());
                    format!("translate({}px, {}px)", x.rem_euclid(step), y.rem_euclid(step))
                }
            ></div>
            <Overview handle=handle culling=culling />
            <div class="world" style:transform=transform>
                <Groups handle=handle />
                <Afterwards>
                    <For each=move || culling.mounted.get() key=|id| *id let:id>
                        <EntityWires id=id shown=culling.shown(id) handle=handle />
                    </For>
                </Afterwards>
                <LooseWire wire=gestures.wire() />
                <Show when=move || has_indexes.get()>
                    <PrimaryCard handle=handle />
                    <For each=move || store.index_ids.get() key=|id| *id let:id>
                        <IndexCard id=id handle=handle />
                    </For>
                </Show>
                <For each=move || culling.mounted.get() key=|id| *id let:id>
                    <EntityCard id=id culling=culling handle=handle />
                </For>
                <Guides guides=gestures.guides() />
            </div>
            <div
                class="marquee"
                hidden=move || gestures.marquee().is_none()
                style:left=move || px(gestures.marquee().map(|area| area.x))
                style:top=move || px(gestures.marquee().map(|area| area.y))
                style:width=move || px(gestures.marquee().map(|area| area.width))
                style:height=move || px(gestures.marquee().map(|area| area.height))
            ></div>
            <Show when=move || empty.get() && desk.guide.get().is_none()>
                <crate::ui::welcome::Welcome />
            </Show>
            <div class="canvas-corner">
                <Afterwards>
                    <Minimap handle=handle />
                    <ZoomBar handle=handle zoom=zoom />
                </Afterwards>
            </div>
        </section>
    }
}

fn px(value: Option<f64>) -> String {
    format!("{}px", value.unwrap_or(0.0))
}

/// The place of the primary key's card; it is always there.
fn primary_card() -> CardId {
    CardId::Index(IndexId::PRIMARY)
}

/// An area between two corners, in any order.
fn between(a: (f64, f64), b: (f64, f64)) -> Area {
    Area {
        x: a.0.min(b.0),
        y: a.1.min(b.1),
        width: (a.0 - b.0).abs(),
        height: (a.1 - b.1).abs(),
    }
}
