import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session';
import { msToMidnight, todayIn } from './zoned';

/** Of midnight a timer may be early. */
const SLACK_MS = 250;

/**
 * Today where the studio is, as `2026-11-22`: another day from its midnight on, also where the page slept over it. What is late by then
 * is read again.
 */
export function useToday(): string {
  const { timeZone } = useSession();
  const queries = useQueryClient();
  const [today, setToday] = useState(() => todayIn(timeZone));
  const read = useRef(today);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      setToday(todayIn(timeZone));
      timer = setTimeout(look, msToMidnight(timeZone) + SLACK_MS);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [timeZone]);
  useEffect(() => {
    if (read.current === today) return;
    read.current = today;
    for (const noun of ['orders', 'order', 'invoices', 'invoice']) void queries.invalidateQueries({ queryKey: [noun] });
  }, [today, queries]);
  return today;
}
