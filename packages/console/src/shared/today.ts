import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { invalidateNouns } from '../live/nouns';
import { useSession } from '../session/session';
import { msToMidnight, todayIn } from './local-time';
import { serviceNow } from './service-clock';

/** Timers can fire early, and the time of the service is known to a second. */
const SLACK_MS = 1_250;

/** The studio's current day, `2026-11-22`. It changes at midnight and refreshes what depends on days. */
export function useToday(): string {
  const { timeZone } = useSession();
  const queries = useQueryClient();
  const [today, setToday] = useState(() => todayIn(timeZone));
  const refreshed = useRef(today);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = (): void => {
      clearTimeout(timer);
      setToday(todayIn(timeZone));
      timer = setTimeout(update, msToMidnight(timeZone) + SLACK_MS);
    };
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, [timeZone]);
  useEffect(() => {
    if (refreshed.current === today) return;
    refreshed.current = today;
    void invalidateNouns(queries);
  }, [today, queries]);
  return today;
}

/** While a computer sleeps, its timers do not run. */
const LONGEST_TIMER_MS = 60_000;

/** The time of the service, ms, when the page was opened or at the last of these times. Renders again when the next has come. */
export function useServiceTime(times: readonly string[]): number {
  const [now, setNow] = useState(serviceNow);
  const next = Math.min(...times.map((time) => Date.parse(time)).filter((time) => time > now));
  useEffect(() => {
    if (next === Number.POSITIVE_INFINITY) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      const update = (): void => {
        setNow(serviceNow());
        wait(); // timers can fire early
      };
      timer = setTimeout(update, Math.min(next - serviceNow(), LONGEST_TIMER_MS));
    };
    wait();
    return () => clearTimeout(timer);
  }, [next]);
  return now;
}

/** Whether the time is still to come. Renders again when it has come. */
export function useIsFuture(time: string | null): boolean {
  const now = useServiceTime(time === null ? [] : [time]);
  return time !== null && Date.parse(time) > now;
}
