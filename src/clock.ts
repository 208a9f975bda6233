/** The one source of "now" for everything that decides by the time of day. */
export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };
