import { useSession } from '../session/session';
import { formatLocalTime, todayIn } from './local-time';

export function Time({ at }: { at: string | null | undefined }) {
  const { timeZone } = useSession();
  if (!at) return <>–</>;
  const time = new Date(at);
  const format = new Intl.DateTimeFormat('en-AU', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: yearFormat(formatLocalTime(time, timeZone), timeZone),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (
    <time dateTime={at} title={`${exact(time, timeZone)} (${at})`} className="nowrap">
      {format.format(time)}
    </time>
  );
}

/** A day of the calendar, `2026-11-22`, as `22 Nov`. */
export function Day({ day }: { day: string | null | undefined }) {
  const { timeZone } = useSession();
  if (!day) return <>–</>;
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return <>{day}</>;
  const format = new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', day: 'numeric', month: 'short', year: yearFormat(day, timeZone) });
  return (
    <time dateTime={day} title={new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', dateStyle: 'full' }).format(date)} className="nowrap">
      {format.format(date)}
    </time>
  );
}

/** The year of a local day or time is left out if it is this year. */
const yearFormat = (local: string, timeZone: string): 'numeric' | undefined =>
  local.slice(0, 4) === todayIn(timeZone).slice(0, 4) ? undefined : 'numeric';

function exact(time: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-AU', { timeZone, dateStyle: 'full', timeStyle: 'long' }).format(time);
}
