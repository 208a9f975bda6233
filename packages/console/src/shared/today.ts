import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session';
import { msToMidnight, todayIn } from './local-time';

/** Timers can fire early. */
const SLACK_MS = 250;

/** The studio's current day, `2026-11-22`. It changes at midnight and refreshes what depends on due dates. */
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
    for (const noun of ['orders', 'order', 'invoices', 'invoice']) void queries.invalidateQueries({ queryKey: [noun] });
  }, [today, queries]);
  return today;
}
