//! Fuzzy search among names: a query finds a text that has its letters in this order. Letters that begin a word
//! or a hump of camelCase, that follow one another, or that begin the text count more.

/// A text that a query finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its position in the list that was searched.
    pub at: usize,
    /// How well it fits; more is better.
    pub score: i32,
    /// The positions of the letters that the query found, counted in characters, ascending.
    pub letters: Vec<usize>,
}

/// Any letter that is found.
const FOUND: i32 = 8;
/// It is right behind the one before.
const CONSECUTIVE: i32 = 15;
/// It begins a word.
const WORD: i32 = 10;
/// It begins a hump of camelCase, or a number.
const HUMP: i32 = 8;
/// It begins the text.
const FIRST: i32 = 4;
/// Each letter that is passed over, up to [`FARTHEST`] of them.
const GAP: i32 = 1;
const FARTHEST: i32 = 6;
/// The text has nothing else.
const WHOLE: i32 = 20;
/// Less than any score.
const NEVER: i32 = i32::MIN / 2;

/// The texts that a query finds, best first, at most so many. Of two that fit equally well the shorter comes
/// first, then the one that is earlier in the list. Each word of the query is looked for by itself; a query
/// without a letter finds nothing.
pub fn search<'a>(query: &str, texts: impl Iterator<Item = &'a str>, most: usize) -> Vec<Hit> {
    let words = words(query);
    if words.is_empty() {
        return Vec::new();
    }
    let texts: Vec<&str> = texts.collect();
    let mut letters = Letters::default();
    // Score, length and position in one number, so that sorting is sorting numbers.
    let mut order: Vec<u64> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        letters.read(text);
        if let Some(score) = fit(&words, &letters, None) {
            let score = (i64::from(i32::MAX) - i64::from(score)) as u64;
            let length = letters.folded.len().min(0xff) as u64;
            order.push((score << 32) | (length << 24) | (at as u64 & 0xff_ffff));
        }
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

/// How a query fits one text, as the only one of a list; `None` if it does not.
pub fn find(query: &str, text: &str) -> Option<Hit> {
    let words = words(query);
    (!words.is_empty()).then(|| found(&words, text, 0))?
}

fn found(words: &[Vec<char>], text: &str, at: usize) -> Option<Hit> {
    let mut letters = Letters::default();
    letters.read(text);
    let mut positions = vec![false; letters.folded.len()];
    let score = fit(words, &letters, Some(&mut positions))?;
    let letters = (0..positions.len()).filter(|at| positions[*at]).collect();
    Some(Hit { at, score, letters })
}

/// A text cut where letters that were found begin and end, in order: each piece, and whether it was found.
pub fn pieces(text: &str, letters: &[usize]) -> Vec<(String, bool)> {
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

/// A text, one entry for each of its characters.
#[derive(Default)]
struct Letters {
    /// The character as it is compared.
    folded: Vec<char>,
    /// What it is worth that a word, a hump or the text begins there.
    begins: Vec<i32>,
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

/// The score of all words together; marks the letters that they found.
fn fit(words: &[Vec<char>], text: &Letters, mut found: Option<&mut Vec<bool>>) -> Option<i32> {
    let mut score = 0;
    let mut length = 0;
    for word in words {
        score += fit_word(word, text, found.as_deref_mut())?;
        length += word.len();
    }
    if length == text.folded.len() {
        score += WHOLE;
    }
    Some(score)
}

/// The best way to find the word's letters in order.
fn fit_word(word: &[char], text: &Letters, found: Option<&mut Vec<bool>>) -> Option<i32> {
    if !has_in_order(word, &text.folded) {
        return None;
    }
    let width = text.folded.len();
    // For each letter of the word and each of the text: the best score with the one found at the other, and
    // where the letter before was found then.
    let mut best = vec![NEVER; word.len() * width];
    let mut from = vec![0_usize; word.len() * width];
    for (row, letter) in word.iter().enumerate() {
        // The best of the letters before, passing over what lies between; and where it was.
        let mut reach = (NEVER, 0);
        for at in 0..width {
            if row > 0 && at >= 2 {
                let before = best[(row - 1) * width + at - 2];
                // What it loses to a gap that has reached its limit is the same for all.
                reach.0 = (reach.0 - GAP).max(NEVER);
                if before - GAP > reach.0 {
                    reach = (before - GAP, at - 2);
                }
            }
            if text.folded[at] != *letter {
                continue;
            }
            let (so_far, place) = match (row, at) {
                (0, _) => (-GAP * FARTHEST.min(at as i32), 0),
                (_, 0) => continue,
                _ => {
                    let next = best[(row - 1) * width + at - 1] + CONSECUTIVE;
                    if next >= reach.0 {
                        (next, at - 1)
                    } else {
                        reach
                    }
                }
            };
            if so_far > NEVER / 2 {
                best[row * width + at] = so_far + FOUND + text.begins[at];
                from[row * width + at] = place;
            }
        }
    }
    let last = (word.len() - 1) * width;
    let mut at = 0;
    for other in 1..width {
        if best[last + other] > best[last + at] {
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
    Some(score)
}

fn has_in_order(word: &[char], text: &[char]) -> bool {
    let mut text = text.iter();
    word.iter().all(|letter| text.any(|other| other == letter))
}

/// A character as it is compared: lower case, and without the accents of Latin letters.
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
