// Memories as a store takes them that has no fields for date and author: both go into the text.

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** "2023-05-08" as people write it: "8 May, 2023". */
export function spoken(day) {
  const [year, month, date] = day.split("-").map(Number);
  return `${date} ${MONTHS[month - 1]}, ${year}`;
}

/** The one text of a memory {text, author?, date?}. */
export const told = ({ text, author, date }) => (date ? `[${spoken(date)}] ` : "") + (author ? `${author}: ` : "") + text;
