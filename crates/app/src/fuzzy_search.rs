//! Fuzzy search among names. A query matches a text that has its letters in this order. Letters score higher if they
//! start a word or a camelCase hump, follow each other, or start the text. Synonyms are a second line.

/// A text that matches the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchHit {
    /// Position in the searched list.
    pub at: usize,
    /// Score; higher is better.
    pub score: i32,
    /// Character positions of the matched letters, ascending.
    pub letters: Vec<usize>,
}

/// Score of each matched letter.
const MATCHED: i32 = 8;
/// Bonus if it directly follows the previous match.
const CONSECUTIVE: i32 = 15;
/// Bonus if it starts a word.
const WORD: i32 = 10;
/// Bonus if it starts a camelCase hump or a number.
const HUMP: i32 = 8;
/// Bonus if it starts the text.
const FIRST: i32 = 4;
/// Penalty per skipped letter. Before the first match, at most [`MAX_LEADING_GAP`] letters count.
const GAP: i32 = 1;
const MAX_LEADING_GAP: i32 = 6;
/// Bonus if the query matches the whole text.
const WHOLE_TEXT: i32 = 20;
/// Minimum average score per letter for queries of three letters or more. It excludes matches scattered across
/// unrelated words.
const MIN_AVERAGE: i32 = 11;
/// Lower than any score.
const NO_MATCH: i32 = i32::MIN / 2;

/// Returns the best `most` matches, best first. Of equal scores, names come before synonyms, then shorter names, then
/// earlier ones. Each word of the query is matched separately. An empty query matches nothing.
pub fn search<'a>(
    query: &str,
    texts: impl Iterator<Item = &'a str>,
    most: usize,
) -> Vec<SearchHit> {
    let words = words(query);
    if words.is_empty() {
        return Vec::new();
    }
    let count = words.iter().map(|word| word.len() as i32).sum::<i32>();
    let texts: Vec<&str> = texts.collect();
    let mut letters = Letters::default();
    // Score, length and position in one number, for a fast sort.
    let mut order: Vec<u64> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        if !words.iter().all(|word| has_in_order(word, text)) {
            continue;
        }
        letters.read(text);
        let score = fit(&words, &mut letters, None);
        if count > 2 && score < MIN_AVERAGE * count {
            continue;
        }
        // A name is better than a synonym of another one.
        let name = text.lines().next().unwrap_or_default();
        let is_named = words.iter().all(|word| has_in_order(word, name)) && {
            letters.read(name);
            fit(&words, &mut letters, None) >= score
        };
        let score = (i64::from(i32::MAX) - i64::from(score)) as u64;
        let synonym = if is_named { 0 } else { 0x80 };
        let length = (name.chars().count() + synonym).min(0xff) as u64;
        order.push((score << 32) | (length << 24) | (at as u64 & 0xff_ffff));
    }
    order.sort_unstable();
    order.truncate(most);
    let mut hits = Vec::new();
    for entry in order {
        let at = (entry & 0xff_ffff) as usize;
        hits.extend(texts.get(at).and_then(|text| found(&words, text, at)));
    }
    hits
}

/// Matches the query against one text; `None` if it does not match.
pub fn find(query: &str, text: &str) -> Option<SearchHit> {
    let words = words(query);
    (!words.is_empty()).then(|| found(&words, text, 0))?
}

fn found(words: &[Vec<char>], text: &str, at: usize) -> Option<SearchHit> {
    if !words.iter().all(|word| has_in_order(word, text)) {
        return None;
    }
    let mut letters = Letters::default();
    letters.read(text);
    let mut positions = vec![false; letters.folded.len()];
    let score = fit(words, &mut letters, Some(&mut positions));
    let letters = (0..positions.len()).filter(|at| positions[*at]).collect();
    Some(SearchHit { at, score, letters })
}

/// Splits a text at the boundaries of matched letters. Returns each piece, and whether it matched.
pub fn split_matches(text: &str, letters: &[usize]) -> Vec<(String, bool)> {
    let mut pieces: Vec<(String, bool)> = Vec::new();
    for (at, letter) in text.chars().enumerate() {
        let hit = letters.contains(&at);
        match pieces.last_mut() {
            Some((piece, same)) if *same == hit => piece.push(letter),
            _ => pieces.push((letter.into(), hit)),
        }
    }
    pieces
}

/// A text, with one entry per character.
#[derive(Default)]
struct Letters {
    /// The character as compared.
    folded: Vec<char>,
    /// Bonus for the start of a word, a hump or the text.
    begins: Vec<i32>,
    /// Scratch table for [`fit_word`]: one row per letter of the word, one column per character of the text. Holds
    /// the best score with that letter matched at that character.
    best: Vec<i32>,
    /// Column of the previous letter in that best match.
    from: Vec<usize>,
}

impl Letters {
    fn read(&mut self, text: &str) {
        self.folded.clear();
        self.begins.clear();
        let mut before = ' ';
        for letter in text.chars() {
            let hump = letter.is_uppercase() && before.is_lowercase()
                || letter.is_numeric() && !before.is_numeric();
            let begins = match before.is_alphanumeric() {
                false if self.folded.is_empty() => WORD + FIRST,
                false if letter.is_alphanumeric() => WORD,
                true if hump => HUMP,
                _ => 0,
            };
            self.folded.push(fold(letter));
            self.begins.push(begins);
            before = letter;
        }
    }
}

fn words(query: &str) -> Vec<Vec<char>> {
    (query.split_whitespace())
        .map(|word| word.chars().map(fold).collect())
        .collect()
}

/// Returns the total score of all words, each of which occurs in the text, and marks the matched letters.
fn fit(words: &[Vec<char>], text: &mut Letters, mut found: Option<&mut Vec<bool>>) -> i32 {
    let mut score = 0;
    let mut length = 0;
    for word in words {
        score += fit_word(word, text, found.as_deref_mut());
        length += word.len();
    }
    if length == text.folded.len() {
        score += WHOLE_TEXT;
    }
    score
}

/// Finds the best match of the word's letters in order.
fn fit_word(word: &[char], text: &mut Letters, found: Option<&mut Vec<bool>>) -> i32 {
    let width = text.folded.len();
    let (best, from) = (&mut text.best, &mut text.from);
    best.clear();
    best.resize(word.len() * width, NO_MATCH);
    from.resize(best.len().max(from.len()), 0);
    for (row, letter) in word.iter().enumerate() {
        let (done, rest) = best.split_at_mut(row * width);
        let before = done.len().checked_sub(width).map(|start| &done[start..]);
        // Scores of the previous row one and two columns back; and the best earlier score minus the gap penalty,
        // with its column.
        let (mut one, mut two) = (NO_MATCH, NO_MATCH);
        let mut reach = (NO_MATCH, 0);
        let columns = text.folded.iter().zip(&text.begins);
        for (at, ((other, begins), cell)) in columns.zip(rest).enumerate() {
            if two > reach.0 {
                reach = (two, at.saturating_sub(2));
            }
            reach.0 -= GAP;
            if other == letter {
                let (so_far, place) = match before {
                    None => (-GAP * MAX_LEADING_GAP.min(at as i32), 0),
                    Some(_) if one + CONSECUTIVE >= reach.0 => (one + CONSECUTIVE, at - at.min(1)),
                    Some(_) => reach,
                };
                if so_far > NO_MATCH / 2 {
                    *cell = so_far + MATCHED + begins;
                    from[row * width + at] = place;
                }
            }
            two = one;
            one = before.map_or(NO_MATCH, |before| before[at]);
        }
    }
    let last = best.len() - width;
    let mut at = 0;
    for (other, score) in best[last..].iter().enumerate() {
        if *score > best[last + at] {
            at = other;
        }
    }
    let score = best[last + at];
    if let Some(found) = found {
        for row in (0..word.len()).rev() {
            found[at] = true;
            at = from[row * width + at];
        }
    }
    score
}

fn has_in_order(word: &[char], text: &str) -> bool {
    let mut text = text.chars();
    word.iter()
        .all(|letter| text.any(|other| fold(other) == *letter))
}

/// Folds a character for comparison: lower case, without the accents of Latin letters.
fn fold(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    let letter = letter.to_lowercase().next().unwrap_or(letter);
    match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => 'i',
        'ł' | 'ľ' | 'ĺ' | 'ļ' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ț' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    }
}
