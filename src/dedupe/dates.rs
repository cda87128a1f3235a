//! Dates written with a month's name, and Chinese and Japanese ones: their parts stand side by side and are put together.

use super::figures::{self, Figure};
use super::reading::{Item, Kind};

/// Numbers beside a month become part of its date, and `年月日` one date.
pub(super) fn assembled(items: Vec<Item>) -> Vec<Item> {
    let mut dated: Vec<Item> = Vec::with_capacity(items.len());
    let mut rest = items.into_iter().peekable();
    while let Some(mut item) = rest.next() {
        if let Kind::Figure(Figure::Date(None, month, None)) = item.kind {
            let mut day = None;
            let mut year = None;
            if let Some(before) = dated
                .last()
                .and_then(bare)
                .and_then(|number| figures::day(&number))
            {
                day = Some(before);
                if let Some(last) = dated.pop() {
                    item.role = last.role.or(item.role);
                }
            } else if let Some(before) = dated.last().and_then(east_year) {
                year = Some(before);
                dated.pop();
            }
            if day.is_none()
                && let Some(after) = rest
                    .peek()
                    .and_then(|next| bare(next).or_else(|| east_day(next)))
                && let Some(number) = figures::day(&after)
            {
                day = Some(number);
                rest.next();
            }
            if year.is_none()
                && let Some(after) = rest.peek().and_then(bare)
                && let Some(number) = figures::year(&after)
            {
                year = Some(number.to_owned());
                rest.next();
            }
            let mut whole = Item::figure(Figure::Date(year, month, day));
            whole.role = item.role;
            dated.push(whole);
        } else {
            dated.push(item);
        }
    }
    dated
}

/// A number without a unit.
fn bare(item: &Item) -> Option<String> {
    match item.as_figure() {
        Some(Figure::Number(number, None)) => Some(number.clone()),
        _ => None,
    }
}

fn east_year(item: &Item) -> Option<String> {
    match item.as_figure() {
        Some(Figure::Number(number, Some(unit))) if unit == "年" => Some(number.clone()),
        _ => None,
    }
}

fn east_day(item: &Item) -> Option<String> {
    match item.as_figure() {
        Some(Figure::Number(number, Some(unit))) if unit == "日" || unit == "号" => {
            Some(number.clone())
        }
        _ => None,
    }
}
