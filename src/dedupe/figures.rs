//! Figures: numbers, dates, times, versions, addresses. Two figures are the same only as they are written, apart from the
//! order in a date and from number words; "1,200" and "12,00" never are.

/// A figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Figure {
    /// A number with its unit or currency, if one stands beside it.
    Number(String, Option<String>),
    /// Year, month, day, as far as given.
    Date(Option<String>, u8, Option<u8>),
    /// 1 (Monday) to 7.
    Weekday(u8),
    /// A time of the day.
    Time(String),
    /// An identifier with digits or signs inside, as written: `B12`, `get_user`, `https://example.org/a`.
    Name(String),
}

impl Figure {
    /// Whether both are figures of one kind, so that one may stand where the other does.
    pub(super) fn is_like(&self, other: &Figure) -> bool {
        match (self, other) {
            (Figure::Number(number, one), Figure::Number(other, two)) => {
                one == two || one.is_none() || two.is_none() || number == other
            }
            (Figure::Date(..) | Figure::Weekday(_), Figure::Date(..) | Figure::Weekday(_)) => true,
            (Figure::Time(_), Figure::Time(_)) | (Figure::Name(_), Figure::Name(_)) => true,
            _ => false,
        }
    }

    /// Whether the two can both be right: the same date with and without its year, the same number written in two ways.
    pub(super) fn agrees(&self, other: &Figure) -> bool {
        let open = |one: &Option<String>, two: &Option<String>| {
            one == two || one.is_none() || two.is_none()
        };
        match (self, other) {
            (Figure::Number(one, unit), Figure::Number(two, other)) => {
                plain(one) == plain(two) && open(unit, other)
            }
            (Figure::Date(year, month, day), Figure::Date(other_year, other_month, other_day)) => {
                month == other_month
                    && open(year, other_year)
                    && (day == other_day || day.is_none() || other_day.is_none())
            }
            _ => self == other,
        }
    }

    /// Whether it says when.
    pub(super) fn is_when(&self) -> bool {
        matches!(
            self,
            Figure::Date(..) | Figure::Weekday(_) | Figure::Time(_)
        )
    }
}

/// A number without the signs between its thousands, where they are clear: `1,200.50` and `1'200.50` are `1200.50`.
fn plain(number: &str) -> String {
    let whole = number.split_once('.').map_or(number, |(whole, _)| whole);
    let is_grouped = |sign: char| {
        let mut groups = whole.split(sign);
        let head = groups
            .next()
            .is_some_and(|head| (1..=3).contains(&head.len()));
        let mut rest = groups.peekable();
        head && rest.peek().is_some() && rest.all(|group| group.len() == 3)
    };
    match [',', '\''].into_iter().find(|sign| is_grouped(*sign)) {
        Some(sign) => number.replace(sign, ""),
        None => number.to_owned(),
    }
}

/// Reads a run of digits with signs inside; several figures where a sign only joins them, as in `5-10`.
pub(super) fn of_digits(run: &str) -> Vec<Figure> {
    if let Some(date) = date(run) {
        return vec![date];
    }
    if is_time(run) {
        return vec![Figure::Time(run.trim_start_matches('0').to_owned())];
    }
    let numbers = run.split('-').filter(|number| !number.is_empty());
    numbers
        .map(|number| Figure::Number(number.to_owned(), None))
        .collect()
}

fn is_time(run: &str) -> bool {
    let mut groups = run.split(':');
    let hour = groups.next().and_then(|hour| hour.parse::<u8>().ok());
    let mut rest = groups.peekable();
    hour.is_some_and(|hour| hour <= 24)
        && rest.peek().is_some()
        && rest.all(|group| group.len() == 2)
}

/// `2026-03-14`, `2026/3/14`, `14.3.2026`; with slashes only where no other reading is possible.
fn date(run: &str) -> Option<Figure> {
    let sign = run.chars().find(|character| !character.is_ascii_digit())?;
    let groups: Vec<&str> = run.split(sign).collect();
    let [first, second, third] = *groups.as_slice() else {
        return None;
    };
    let (year, month, day) = match (first.len(), third.len(), sign) {
        (4, 1..=2, '-' | '/' | '.') => (first, second, third),
        (1..=2, 4, '.') => (third, second, first),
        (1..=2, 4, '/') if first.parse::<u8>().ok()? > 12 => (third, second, first),
        (1..=2, 4, '/') if second.parse::<u8>().ok()? > 12 => (third, first, second),
        _ => return None,
    };
    let within = |text: &str, most: u8| {
        text.parse::<u8>()
            .ok()
            .filter(|number| (1..=most).contains(number))
    };
    year.parse::<u16>().ok()?;
    Some(Figure::Date(
        Some(year.to_owned()),
        within(month, 12)?,
        Some(within(day, 31)?),
    ))
}

/// Days that a number before or after a month may be; a larger one is a year.
pub(super) fn day(number: &str) -> Option<u8> {
    number
        .parse::<u8>()
        .ok()
        .filter(|day| (1..=31).contains(day))
}

/// A month by its number.
pub(super) fn month(number: &str) -> Option<u8> {
    number
        .parse::<u8>()
        .ok()
        .filter(|month| (1..=12).contains(month))
}

/// A year beside a month.
pub(super) fn year(number: &str) -> Option<&str> {
    let is_year = number.len() == 4 && number.bytes().all(|digit| digit.is_ascii_digit());
    is_year.then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_where_only_one_reading_is_possible() {
        let date = |run: &str| match of_digits(run).as_slice() {
            [Figure::Date(year, month, day)] => Some((year.clone().unwrap(), *month, day.unwrap())),
            _ => None,
        };
        let march = Some(("2026".to_owned(), 3, 14));
        for run in [
            "2026-03-14",
            "2026/3/14",
            "14.3.2026",
            "14.03.2026",
            "14/3/2026",
            "3/14/2026",
        ] {
            assert_eq!(date(run), march, "{run}");
        }
        for run in ["3/4/2026", "2026-13-01", "10.0.0.4", "2.3.1"] {
            assert_eq!(date(run), None, "{run}");
        }
    }

    #[test]
    fn numbers_agree_only_if_they_are_the_same_number() {
        let number = |text: &str| of_digits(text).remove(0);
        assert!(number("1,200").agrees(&number("1200")));
        assert!(number("1,200").agrees(&number("1'200")));
        for (one, two) in [
            ("1,200", "12,00"),
            ("2.3.1", "2.3.10"),
            ("1.5", "15"),
            ("10.0.0.4", "10.0.0.40"),
        ] {
            assert!(!number(one).agrees(&number(two)), "{one} {two}");
        }
        assert_ne!(number("1,200"), number("1200"));
    }

    #[test]
    fn a_time_loses_only_its_leading_zero() {
        assert_eq!(of_digits("09:30"), of_digits("9:30"));
        assert_ne!(of_digits("09:30"), of_digits("9:31"));
        assert_eq!(of_digits("5-10").len(), 2);
    }
}
