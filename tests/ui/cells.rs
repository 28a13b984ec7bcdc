//! What the cells of the live table show, and where an edit in them goes, whatever happened to rows and columns before:
//! every cell in the page is held to what the engine makes of the design.

use crate::screen::Screen;
use keyfold_app::grid::{Sheet, SheetOptions};
use keyfold_core::engine::{ValueRef, materialize_all, view};
use keyfold_core::model::{Design, IndexId, Sample, Value};
use std::sync::Arc;
use wasm_bindgen_test::wasm_bindgen_test;

/// Steps of a walk. They take most of a second each.
const STEPS: usize = 45;

/// Chance from a seed, so that a walk that fails can be done again.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 = (self.0.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1);
        (self.0 >> 33) as usize % count.max(1)
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}

/// The table or the index that is shown.
fn shown(screen: &Screen, design: &Design) -> IndexId {
    let tab = screen.current_tab();
    let of_name = |index: &IndexId| design.index_name(*index) == tab;
    (design.index_ids().find(of_name)).unwrap_or(IndexId::PRIMARY)
}

/// Holds every cell in the page to the design.
fn check(screen: &Screen, design: &Design, said: &str) {
    let items: Vec<_> = materialize_all(design).values().cloned().collect();
    let view = Arc::new(view(design, shown(screen, design), &items));
    let sheet = Sheet::new(view.clone(), &SheetOptions::default());
    let heads = screen.heads();
    for (sample, cells) in screen.cells() {
        let is_it = |id: &str| id == sample;
        let row = (0..view.rows.len()).find_map(|at| {
            let item = view.rows.get(at)?.item;
            is_it(&item.id().to_string()).then_some(item)
        });
        let refused = || {
            let mut failed = view.failed.iter();
            failed.find(|item| is_it(&item.id().to_string())).cloned()
        };
        let item = row.or_else(refused);
        let item = item.unwrap_or_else(|| panic!("{said}: {sample} is not in the view"));
        for cell in cells {
            let at = format!("{said}: {sample} {} of {heads:?}", cell.column);
            assert_eq!(heads.get(cell.at), Some(&cell.column), "{at}: its place");
            let value = sheet.value(&item, &cell.column).map(ValueRef::to_value);
            let text = value.as_ref().map(Value::to_text).unwrap_or_default();
            assert_eq!(cell.text, text, "{at}");
            assert_eq!(cell.is_absent, value.is_none(), "{at}");
        }
    }
    assert!(
        screen.cells_are_below_their_heads(),
        "{said}: in their places"
    );
}

/// Types into a cell that is in the page. What changed must be this value and nothing else.
async fn edit(screen: &Screen, chance: &mut Chance, said: &mut String) {
    let before = screen.design().await;
    let all = screen.cells();
    let Some((sample, cells)) = chance.one_of(&all) else {
        return;
    };
    let Some(cell) = chance.one_of(cells) else {
        return;
    };
    let text = format!("{}", 100 + chance.below(900));
    said.push_str(&format!(": {sample} {} = {text}", cell.column));
    let is_taken = screen.type_into_cell(sample, &cell.column, &text).await;
    let after = screen.design().await;
    let samples = |design: &Design| -> Vec<Arc<Sample>> {
        (design.samples.values().flat_map(|of| of.iter().cloned())).collect()
    };
    let (before, after) = (samples(&before), samples(&after));
    assert_eq!(before.len(), after.len(), "{said}");
    for (before, after) in before.iter().zip(&after) {
        let mut expected = Sample::clone(before);
        if is_taken && before.id.to_string() == *sample {
            let value = after.values.get(&cell.column).cloned();
            let value = value.unwrap_or_else(|| panic!("{said}: nothing is there"));
            assert_eq!(value.to_text(), text, "{said}");
            expected.values.insert(cell.column.clone(), value);
        }
        assert_eq!(**after, expected, "{said}");
    }
}

async fn step(screen: &Screen, chance: &mut Chance) -> String {
    let heads = screen.heads();
    let head = chance.one_of(&heads).cloned().unwrap_or_default();
    let entities = screen.entities();
    let entity = chance.one_of(&entities).cloned().unwrap_or_default();
    match chance.below(17) {
        0 | 1 => {
            screen.select_entity(&entity).await;
            screen.press_button("Add row").await;
            format!("a row of {entity}")
        }
        2 if entities.len() > 1 => {
            screen.select_entity(&entity).await;
            screen.press_button("Delete entity").await;
            format!("{entity} deleted")
        }
        3..6 => {
            screen.press_button("Undo").await;
            "undo".into()
        }
        6 => {
            screen.press_button("Redo").await;
            "redo".into()
        }
        7 if heads.len() > 3 => {
            screen.right_click_head(&head).await;
            screen.press_button("Hide column").await;
            format!("{head} hidden")
        }
        8 => {
            let line = ["Show all columns", "Restore DynamoDB order"][chance.below(2)];
            screen.right_click_head(&head).await;
            screen.press_button(line).await;
            screen.press("Escape", false).await;
            line.into()
        }
        9 => {
            let key = ["ArrowLeft", "ArrowRight"][chance.below(2)];
            screen.focus_head(&head).await;
            screen.press_alt(key).await;
            format!("{head} moved, {key}")
        }
        10 => {
            screen.right_click_head(&head).await;
            screen.press_button("Sort column descending").await;
            format!("sorted by {head}")
        }
        11 => {
            let text = ["", "a", "1", "acme", ""][chance.below(5)];
            screen.filter_rows(text).await;
            format!("filter {text:?}")
        }
        12 => {
            let tabs = screen.item_tabs();
            let tab = &tabs[chance.below(tabs.len())];
            screen.open_tab(tab).await;
            format!("tab {tab}")
        }
        13 => {
            screen.select_entity(&entity).await;
            screen.press_button("Add attribute").await;
            format!("an attribute of {entity}")
        }
        14 => {
            let name = format!("renamed{}", chance.below(100));
            screen.select_entity(&entity).await;
            screen.fill("Attribute name", &name).await;
            screen.leave_field().await;
            format!("{name} of {entity}")
        }
        _ => {
            screen.scroll_to_column(&head).await;
            screen.scroll_table(chance.below(400) as i32).await;
            format!("scrolled to {head}")
        }
    }
}

async fn walk(seed: u64) {
    let screen = Screen::first_visit().await;
    screen.open_pattern("e-commerce").await;
    let mut chance = Chance(seed);
    for number in 0..STEPS {
        let mut said = format!("seed {seed}, step {number}: ");
        if chance.below(4) == 0 {
            edit(&screen, &mut chance, &mut said).await;
        } else {
            said.push_str(&step(&screen, &mut chance).await);
        }
        check(&screen, &screen.design().await, &said);
    }
}

#[wasm_bindgen_test]
async fn every_cell_shows_its_own_attribute_on_a_random_walk() {
    walk(1).await;
}

#[wasm_bindgen_test]
async fn every_cell_shows_its_own_attribute_on_another_random_walk() {
    walk(7).await;
}

/// Fewer rows and fewer columns at once: what is put aside of the table has cells of columns that are gone.
#[wasm_bindgen_test]
async fn rows_that_were_put_aside_have_no_cells_of_columns_that_are_gone() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("e-commerce").await;
    let entities = screen.entities();
    for entity in &entities[1..] {
        screen.select_entity(entity).await;
        screen.press_button("Delete entity").await;
        screen.select_entity(&entities[0]).await;
        for _ in 0..4 {
            screen.press_button("Add row").await;
        }
        check(
            &screen,
            &screen.design().await,
            &format!("without {entity}"),
        );
        screen.press_button("Undo").await;
        check(
            &screen,
            &screen.design().await,
            &format!("undo after {entity}"),
        );
        for _ in 0..4 {
            screen.press_button("Undo").await;
        }
        check(
            &screen,
            &screen.design().await,
            &format!("with {entity} again"),
        );
    }
}
