/** Months by their first three letters; "Sept" and whole names begin with them. */
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const;
const MONTH_NAME =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?$/;

interface DayParts {
  day: string;
  month: string;
  year: string | undefined;
}

/** The day comes before the month, as people write it in Australia. */
const DAY_FORMS: readonly RegExp[] = [
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
  /^(?<day>\d{1,2})(?<sign>[/.-])(?<month>\d{1,2})(?:\k<sign>(?<year>\d{4}|\d{2}))?$/,
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?[ -]?(?<month>[a-z]+\.?)(?:,?[ -]?(?<year>\d{4}|\d{2}))?$/,
];

/**
 * Reads a typed day: `28/12/25`, `30.10.2026`, `26 Nov 2026`, `1 Sept`, `2026-11-26`.
 * @param today the studio's day; a day without a year is in its year
 * @returns `2026-11-26`; null for a text that is not a day from beginning to end
 */
export function parseTypedDay(typed: string, today: string): string | null {
  const text = normalize(typed);
  for (const form of DAY_FORMS) {
    const parts = form.exec(text)?.groups as DayParts | undefined;
    if (parts !== undefined) return toDay(parts, today);
  }
  return null;
}

const AMBIGUOUS_TIME = /^\d{1,2}\.\d{1,2}$|[a-z]\.?,? ?\d{2}$/;

const TIME_FORMS: readonly RegExp[] = [
  /^(?<hour>\d{1,2})[:.](?<minute>\d{2})(?::00)?$/,
  /^(?<hour>\d{1,2})(?:[:.](?<minute>\d{2}))? ?(?<half>[ap])\.?m\.?$/,
];

/**
 * Reads a typed time: a day as in `parseTypedDay`, and optionally a time of day, `15:00`, `3:00 pm` or `3pm`.
 * @returns `2026-11-26T15:00`, midnight without a time of day, or null
 */
export function parseTypedTime(typed: string, today: string): string | null {
  const text = normalize(typed);
  const whole = parseTypedDay(text, today);
  // `9.10` may be a time of day, and the last number of `26 Nov 15` an hour.
  if (whole !== null) return AMBIGUOUS_TIME.test(text) ? null : `${whole}T00:00`;
  // The day ends before one of the last spaces, the comma or the T.
  for (const { index } of text.matchAll(/, ?|(?<=\d)t(?=\d)| /g)) {
    const [day, time] = [parseTypedDay(text.slice(0, index), today), parseTimeOfDay(text.slice(index).replace(/^(?:, ?|t| )/, ''))];
    if (day !== null && time !== null) return `${day}T${time}`;
  }
  return null;
}

function parseTimeOfDay(text: string): string | null {
  for (const form of TIME_FORMS) {
    const found = form.exec(text)?.groups as { hour: string; minute?: string; half?: string } | undefined;
    if (found === undefined) continue;
    const [hour, minute] = [Number(found.hour), Number(found.minute ?? '0')];
    const isHourValid = found.half === undefined ? hour <= 23 : hour >= 1 && hour <= 12;
    if (!isHourValid || minute > 59) return null;
    const hours = found.half === undefined ? hour : (hour % 12) + (found.half === 'p' ? 12 : 0);
    return `${pad(hours)}:${pad(minute)}`;
  }
  return null;
}

/** Lower case, single spaces, ASCII hyphens, without the name of the weekday. */
const normalize = (typed: string): string =>
  typed
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/^(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)(?:day|nesday|urday)?\.?,? (?=\d)/, '');

function toDay({ day, month, year }: DayParts, today: string): string | null {
  const number = /^\d/.test(month) ? Number(month) : MONTH_NAME.test(month) ? MONTHS.indexOf(month.slice(0, 3) as 'jan') + 1 : 0;
  const wholeYear = year === undefined ? today.slice(0, 4) : year.length === 2 ? `20${year}` : year;
  const parsed = `${wholeYear}-${pad(number)}-${pad(Number(day))}`;
  const time = Date.parse(`${parsed}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(parsed) ? parsed : null;
}

const pad = (value: number): string => String(value).padStart(2, '0');
