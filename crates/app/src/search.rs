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
/// Each letter that is passed over; before the first that is found, only so many count.
const GAP: i32 = 1;
const FARTHEST: i32 = 6;
/// The text has nothing else.
const WHOLE: i32 = 20;
/// The least that three letters or more must be worth on average: others are strewn over words that mean something
/// else.
const LEAST: i32 = 11;
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
    let count = words.iter().map(|word| word.len() as i32).sum::<i32>();
    let texts: Vec<&str> = texts.collect();
    let mut letters = Letters::default();
    // Score, length and position in one number, so that sorting is sorting numbers.
    let mut order: Vec<u64> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        if !words.iter().all(|word| has_in_order(word, text)) {
            continue;
        }
        letters.read(text);
        let score = fit(&words, &mut letters, None);
        if count > 2 && score < LEAST * count {
            continue;
        }
        let score = (i64::from(i32::MAX) - i64::from(score)) as u64;
        let length = letters.folded.len().min(0xff) as u64;
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

/// How a query fits one text, as the only one of a list; `None` if it does not.
pub fn find(query: &str, text: &str) -> Option<Hit> {
    let words = words(query);
    (!words.is_empty()).then(|| found(&words, text, 0))?
}

fn found(words: &[Vec<char>], text: &str, at: usize) -> Option<Hit> {
    if !words.iter().all(|word| has_in_order(word, text)) {
        return None;
    }
    let mut letters = Letters::default();
    letters.read(text);
    let mut positions = vec![false; letters.folded.len()];
    let score = fit(words, &mut letters, Some(&mut positions));
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
    /// Room for [`fit_word`]: a row for each letter of the word, a column for each of the text. The best score
    /// with the one found at the other,
    best: Vec<i32>,
    /// and where the letter before was found then.
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

/// The score of all words together, each of which is in the text; marks the letters that they found.
fn fit(words: &[Vec<char>], text: &mut Letters, mut found: Option<&mut Vec<bool>>) -> i32 {
    let mut score = 0;
    let mut length = 0;
    for word in words {
        score += fit_word(word, text, found.as_deref_mut());
        length += word.len();
    }
    if length == text.folded.len() {
        score += WHOLE;
    }
    score
}

/// The best way to find the word's letters in order.
fn fit_word(word: &[char], text: &mut Letters, found: Option<&mut Vec<bool>>) -> i32 {
    let width = text.folded.len();
    let (best, from) = (&mut text.best, &mut text.from);
    best.clear();
    best.resize(word.len() * width, NEVER);
    from.resize(best.len().max(from.len()), 0);
    for (row, letter) in word.iter().enumerate() {
        let (done, rest) = best.split_at_mut(row * width);
        let before = done.len().checked_sub(width).map(|start| &done[start..]);
        // Scores of the row before: one column back, two columns back; and the best from there on with what it
        // loses to the gap, and where that is.
        let (mut one, mut two) = (NEVER, NEVER);
        let mut reach = (NEVER, 0);
        let columns = text.folded.iter().zip(&text.begins);
        for (at, ((other, begins), cell)) in columns.zip(rest).enumerate() {
            if two > reach.0 {
                reach = (two, at.saturating_sub(2));
            }
            reach.0 -= GAP;
            if other == letter {
                let (so_far, place) = match before {
                    None => (-GAP * FARTHEST.min(at as i32), 0),
                    Some(_) if one + CONSECUTIVE >= reach.0 => (one + CONSECUTIVE, at - at.min(1)),
                    Some(_) => reach,
                };
                if so_far > NEVER / 2 {
                    *cell = so_far + FOUND + begins;
                    from[row * width + at] = place;
                }
            }
            two = one;
            one = before.map_or(NEVER, |before| before[at]);
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
