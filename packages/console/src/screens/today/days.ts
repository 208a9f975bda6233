const DAY_MS = 86_400_000;

/** So many days after a day of the calendar; `2026-11-22` and 1 are `2026-11-23`. */
export function daysFrom(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
