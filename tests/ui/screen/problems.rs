//! The problems as a person meets them.

use super::{Screen, set_value, settle, text_of, texts, wait};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement};

impl Screen {
    /// Brings the problems to the front.
    pub async fn open_problems(&self) {
        self.click(&self.get("#tab-problems")).await;
    }

    /// What the button in the top bar says, such as `Problems: 1 error`.
    pub fn problem_counts(&self) -> String {
        let name = self.get(".problem-counts .visually-hidden");
        name.text_content().unwrap_or_default()
    }

    /// The findings in the list: code and place.
    pub fn problems(&self) -> Vec<(String, String)> {
        let codes = texts(self.all(".problem-list .problem-code"));
        let places = texts(self.all(".problem-list .problem-place"));
        codes.into_iter().zip(places).collect()
    }

    /// Waits until the list has a finding of this code at this place, or has it no more.
    pub async fn problem_is_listed(&self, code: &str, place: &str, listed: bool) {
        let wanted = (code.to_owned(), place.to_owned());
        for _ in 0..100 {
            if self.problems().contains(&wanted) == listed {
                return;
            }
            wait(30).await;
        }
        panic!("{wanted:?} listed: {}: {:?}", !listed, self.problems());
    }

    /// The headings of the list, with how many stand below each.
    pub fn problem_headings(&self) -> Vec<String> {
        texts(self.all(".problem-list .problem-heading"))
    }

    /// Clicks a finding of the list.
    pub async fn choose_problem(&self, code: &str, place: &str) {
        let at =
            (self.problems().iter()).position(|problem| *problem == (code.into(), place.into()));
        let at = at.unwrap_or_else(|| panic!("no {code} at {place}: {:?}", self.problems()));
        self.click(&self.all(".problem-list .problem")[at]).await;
    }

    /// The finding that is chosen: code and place.
    pub fn chosen_problem(&self) -> (String, String) {
        let row = self.get(".problem-list [aria-selected=true]");
        let part = |class| text_of(row.query_selector(class).unwrap().unwrap());
        (part(".problem-code"), part(".problem-place"))
    }

    /// Goes to the place of the chosen finding.
    pub async fn go_to_problem(&self) {
        self.click(&self.get(".problem-go")).await;
        wait(60).await;
    }

    /// The name of the field, cell or card that has the keyboard focus.
    pub fn focus_name(&self) -> String {
        let focus = super::document().active_element().expect("a focus");
        focus.get_attribute("aria-label").unwrap_or_default()
    }

    /// The text that describes what has the keyboard focus to a screen reader.
    pub fn focus_description(&self) -> String {
        let focus = super::document().active_element().expect("a focus");
        let ids = focus.get_attribute("aria-describedby").unwrap_or_default();
        let all: Vec<String> = (ids.split_whitespace())
            .map(|id| text_of(self.get(&format!("#{id}"))))
            .collect();
        all.join(" ")
    }

    /// The card that is selected on the canvas.
    pub fn selected_card(&self) -> String {
        text_of(self.get(".card.selected .card-name"))
    }

    /// What a fix would change: what it is of, before and after.
    pub fn fix_changes(&self) -> Vec<Vec<String>> {
        (self.all(".fix-changes tbody tr").into_iter())
            .map(|row| {
                let cells = row.query_selector_all("th, td").unwrap();
                (0..cells.length())
                    .map(|at| text_of(cells.item(at).unwrap().unchecked_into()))
                    .collect()
            })
            .collect()
    }

    /// Types why the chosen finding is accepted.
    pub async fn type_reason(&self, reason: &str) {
        let input: HtmlInputElement = self.get(".silence input").unchecked_into();
        set_value(&input, reason);
        settle().await;
    }

    /// The reason that is typed for the chosen finding.
    pub fn typed_reason(&self) -> String {
        let input: HtmlInputElement = self.get(".silence input").unchecked_into();
        input.value()
    }

    /// Types why the chosen finding is accepted, and stores it.
    pub async fn silence(&self, reason: &str) {
        let input: HtmlInputElement = self.get(".silence input").unchecked_into();
        set_value(&input, reason);
        self.click(&self.with_text(".silence button", "Silence"))
            .await;
    }

    /// Why the chosen finding is accepted.
    pub fn silence_reason(&self) -> String {
        text_of(self.get(".silence-reason"))
    }

    /// Types into the search of the problems.
    pub async fn search_problems(&self, text: &str) {
        let input: HtmlInputElement = self.get(".problems-bar input").unchecked_into();
        set_value(&input, text);
        settle().await;
    }

    /// Shows only the findings of rules of this kind, by its letter; all of them for an empty text.
    pub async fn show_problems_of_kind(&self, letter: &str) {
        let select: HtmlSelectElement = self.get(".problems-bar select").unchecked_into();
        select.set_value(letter);
        let options = web_sys::EventInit::new();
        options.set_bubbles(true);
        let event = web_sys::Event::new_with_event_init_dict("change", &options).unwrap();
        select.dispatch_event(&event).unwrap();
        settle().await;
    }

    /// Groups the problems.
    pub async fn group_problems(&self, by: &str) {
        self.click(&self.with_text(".problems-bar .segmented button", by))
            .await;
    }

    /// What the mark of an entity's card says: how many problems, and their messages.
    pub fn card_mark(&self, entity: &str) -> Option<(String, String)> {
        let mark = self
            .entity_card(entity)
            .query_selector(".card-mark")
            .unwrap()?;
        let of = |name| mark.get_attribute(name).unwrap_or_default();
        Some((of("aria-label"), of("title")))
    }

    /// The texts of templates in the inspector that are underlined because of a finding.
    pub fn underlined(&self) -> Vec<String> {
        texts(self.all(".inspector .template-backdrop .found"))
    }

    /// The attributes of the cells of the table that are marked because of a finding.
    pub fn problem_cells(&self) -> Vec<String> {
        let cells = self.all("[data-grid] .flagged").into_iter();
        cells
            .map(|cell| cell.get_attribute("data-column").unwrap_or_default())
            .collect()
    }

    /// Whether the place has the focus of the page inside the list of problems.
    pub fn is_in_problem_list(&self) -> bool {
        let focus = super::document().active_element().expect("a focus");
        let focus: HtmlElement = focus.unchecked_into();
        focus.closest(".problem-list").unwrap().is_some()
    }
}
