import { instantOf } from '../../shared/zoned';

/** When a day (`2026-11-22`) begins where the studio is, as an RFC 3339 time; empty where it is no day. */
export const startOf = (day: string, timeZone: string): string => instantOf(`${day}T00:00`, timeZone) ?? '';

/** Noon of a day where the studio is: for what is known by its day alone. */
export const noonOf = (day: string, timeZone: string): string => instantOf(`${day}T12:00`, timeZone) ?? '';

/** A day so many days before. */
export function daysBefore(day: string, days: number): string {
  const time = new Date(`${day}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() - days);
  return time.toISOString().slice(0, 10);
}
