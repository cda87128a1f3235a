//! Chinese and Japanese: written without blanks, so numbers, weekdays and negations are looked for inside a run and every
//! other character counts as a word of its own; a foreign word in katakana stays whole.

use super::figures::{self, Figure};
use super::reading::{Item, Kind};
use crate::text::scripts::{Class, East, class};

/// Endings and phrases that contain a negation and are none.
const NO_NEGATIONS: [&str; 22] = [
    "不过",
    "不同",
    "不错",
    "不仅",
    "不但",
    "不断",
    "不少",
    "差不多",
    "对不起",
    "未来",
    "無料",
    "无论",
    "不動産",
    "特别",
    "别人",
    "个别",
    "かもしれない",
    "かもしれません",
    "に違いない",
    "なければならない",
    "なければなりません",
    "ないといけない",
];
/// Negations, longer ones first.
const NEGATIONS: [&str; 17] = [
    "从来没有",
    "从来不",
    "没有",
    "ませんでした",
    "ません",
    "なかった",
    "ではない",
    "じゃない",
    "ない",
    "なく",
    "ずに",
    "从不",
    "不",
    "没",
    "未",
    "无",
    "勿",
];
/// What says nothing that could be a difference: topic and subject marks, the particle of attributes, polite copulas.
const IGNORED: [&str; 10] = [
    "である",
    "です",
    "目前",
    "现在",
    "非常",
    "は",
    "が",
    "的",
    "很",
    "だ",
];
/// What may follow a number and belongs to it.
const UNITS: &str =
    "年月日号時时分秒点歳岁円元圆块人名个個件本台杯次回度页頁階楼层週周天匹头枚冊册米吨";

/// Whether a character after a number belongs to it.
pub(super) fn is_unit(character: char) -> bool {
    UNITS.contains(character)
}

/// The items of a run.
pub(super) fn items(run: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let (item, length) = next(rest, first, items.is_empty());
        items.extend(item);
        rest = rest.get(length..).unwrap_or_default();
    }
    items
}

/// The next item, if the next characters are one, and their bytes. `begins`: the run begins here, perhaps after digits.
fn next(rest: &str, first: char, begins: bool) -> (Option<Item>, usize) {
    if let Some((day, length)) = weekday(rest) {
        return (Some(Item::figure(Figure::Weekday(day))), length);
    }
    if let Some((number, length)) = number(rest) {
        let after = rest.get(length..).unwrap_or_default();
        let unit = after.chars().next().filter(|unit| is_unit(*unit));
        let figure = match unit {
            Some('月') => figures::month(&number).map(|month| Figure::Date(None, month, None)),
            _ => None,
        };
        let figure = figure.unwrap_or_else(|| Figure::Number(number, unit.map(String::from)));
        return (
            Some(Item::figure(figure)),
            length + unit.map_or(0, char::len_utf8),
        );
    }
    let starts = |words: &[&'static str]| words.iter().copied().find(|word| rest.starts_with(word));
    if let Some(word) = starts(&NO_NEGATIONS) {
        return (Some(Item::new(Kind::Word, word)), word.len());
    }
    if let Some(word) = starts(&NEGATIONS) {
        return (Some(Item::new(Kind::Negation, "not")), word.len());
    }
    if let Some(word) = starts(&IGNORED).filter(|_| !begins || rest.len() > first.len_utf8()) {
        return (None, word.len());
    }
    let length = if class(first) == Class::East(East::Katakana) {
        rest.char_indices()
            .find(|(_, character)| class(*character) != Class::East(East::Katakana))
            .map_or(rest.len(), |(place, _)| place)
    } else {
        first.len_utf8()
    };
    let word = rest.get(..length).unwrap_or_default();
    (Some(Item::new(Kind::Word, word)), length)
}

/// A day of the week: `星期三`, `周三`, `礼拜三`, `水曜日`, `水曜`.
fn weekday(rest: &str) -> Option<(u8, usize)> {
    const CHINESE: [char; 7] = ['一', '二', '三', '四', '五', '六', '日'];
    const JAPANESE: [char; 7] = ['月', '火', '水', '木', '金', '土', '日'];
    let place = |days: [char; 7], day: char| {
        (1..)
            .zip(days)
            .find(|(_, known)| *known == day)
            .map(|(number, _)| number)
    };
    for prefix in ["星期", "礼拜", "周", "週"] {
        if let Some(day) = rest
            .strip_prefix(prefix)
            .and_then(|after| after.chars().next())
        {
            let day = if day == '天' { '日' } else { day };
            if let Some(number) = place(CHINESE, day) {
                return Some((number, prefix.len() + day.len_utf8()));
            }
        }
    }
    let day = rest.chars().next()?;
    let after = rest.get(day.len_utf8()..)?;
    let ending = ["曜日", "曜"]
        .into_iter()
        .find(|ending| after.starts_with(ending))?;
    Some((place(JAPANESE, day)?, day.len_utf8() + ending.len()))
}

/// A number in Chinese characters. A lone `一` counts only before a unit: it is part of many words.
fn number(rest: &str) -> Option<(String, usize)> {
    let digit = |character: char| match character {
        '〇' | '零' => Some(0),
        '一' => Some(1),
        '二' | '两' | '兩' => Some(2),
        '三' => Some(3),
        '四' => Some(4),
        '五' => Some(5),
        '六' => Some(6),
        '七' => Some(7),
        '八' => Some(8),
        '九' => Some(9),
        _ => None,
    };
    let times = |character: char| match character {
        '十' => Some(10u64),
        '百' => Some(100),
        '千' => Some(1_000),
        '万' | '萬' => Some(10_000),
        '億' | '亿' => Some(100_000_000),
        _ => None,
    };
    let run: Vec<char> = rest
        .chars()
        .take_while(|character| digit(*character).is_some() || times(*character).is_some())
        .take(MOST_DIGITS)
        .collect();
    let bytes = run.iter().map(|character| character.len_utf8()).sum();
    let unit = rest.get(bytes..).and_then(|after| after.chars().next());
    match run.as_slice() {
        [] => return None,
        ['一'] | ['十' | '百' | '千' | '万' | '萬' | '億' | '亿'] if !unit.is_some_and(is_unit) =>
        {
            return None;
        }
        _ => {}
    }
    if run.iter().all(|character| digit(*character).is_some()) {
        // Digits in a row, as in a year.
        let digits = run.iter().filter_map(|character| digit(*character));
        return Some((digits.map(|digit| digit.to_string()).collect(), bytes));
    }
    let (mut whole, mut section, mut current) = (0u64, 0u64, 0u64);
    for character in run {
        if let Some(digit) = digit(character) {
            current = digit;
        } else if let Some(times) = times(character) {
            if times >= 10_000 {
                whole += (section + current).max(1).saturating_mul(times);
                (section, current) = (0, 0);
            } else {
                section += current.max(1) * times;
                current = 0;
            }
        }
    }
    Some(((whole + section + current).to_string(), bytes))
}

/// Characters of one number; more are no number but a puzzle.
const MOST_DIGITS: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(run: &str) -> Vec<String> {
        items(run)
            .into_iter()
            .map(|item| match item.kind {
                Kind::Negation => "!".to_owned(),
                Kind::Figure(Figure::Number(number, unit)) => {
                    format!("{number}{}", unit.unwrap_or_default())
                }
                Kind::Figure(Figure::Weekday(day)) => format!("day{day}"),
                Kind::Figure(Figure::Date(_, month, _)) => format!("month{month}"),
                _ => item.key,
            })
            .collect()
    }

    #[test]
    fn negations_are_found_and_their_look_alikes_are_not() {
        assert_eq!(
            keys("ミロは貝を食べない"),
            ["ミロ", "貝", "を", "食", "べ", "!"]
        );
        assert_eq!(keys("他不吃鱼"), ["他", "!", "吃", "鱼"]);
        assert_eq!(keys("不过好"), ["不过", "好"]);
        assert_eq!(keys("来るかもしれない").last().unwrap(), "かもしれない");
    }

    #[test]
    fn numbers_dates_and_weekdays_are_read() {
        assert_eq!(keys("三十五个"), ["35个"]);
        assert_eq!(keys("二〇二六年"), ["2026年"]);
        assert_eq!(keys("三万二千人"), ["32000人"]);
        assert_eq!(keys("三月"), ["month3"]);
        assert_eq!(keys("星期天和水曜日"), ["day7", "和", "day3"]);
        assert_eq!(keys("一起"), ["一", "起"]);
    }
}
