/** The moment when a clock in `timeZone` shows that hour of that day (`2026-11-22`), as an RFC 3339 time. */
function at(day: string, hour: number, timeZone: string): string {
  const asUtc = Date.parse(`${day}T${String(hour).padStart(2, '0')}:00:00Z`);
  const guess = asUtc - offsetMs(asUtc, timeZone);
  return new Date(asUtc - offsetMs(guess, timeZone)).toISOString();
}

/** When a day begins where the studio is. */
export const startOf = (day: string, timeZone: string): string => at(day, 0, timeZone);

/** Noon of a day where the studio is: for what is known by its day alone. */
export const noonOf = (day: string, timeZone: string): string => at(day, 12, timeZone);

/** How far that zone's clocks are ahead of UTC then. */
function offsetMs(time: number, timeZone: string): number {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(time);
  return Date.parse(`${text.replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000;
}

/** A day so many days before. */
export function daysBefore(day: string, days: number): string {
  const time = new Date(`${day}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() - days);
  return time.toISOString().slice(0, 10);
}
