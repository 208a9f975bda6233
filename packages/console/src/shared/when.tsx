import { useSession } from '../session/session';

export function When({ at, withDay = true }: { at: string | null | undefined; withDay?: boolean }) {
  const { timeZone } = useSession();
  if (!at) return <>–</>;
  const time = new Date(at);
  const options: Intl.DateTimeFormatOptions = withDay
    ? { timeZone, day: 'numeric', month: 'short', year: yearOf(time, timeZone), hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
    : { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };
  return (
    <time dateTime={at} title={`${exact(time, timeZone)} (${at})`} className="nowrap">
      {new Intl.DateTimeFormat('en-AU', options).format(time)}
    </time>
  );
}

export function Day({ day }: { day: string | null | undefined }) {
  if (!day) return <>–</>;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const text = new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  return (
    <time dateTime={day} title={day} className="nowrap">
      {text.format(Date.UTC(year, month - 1, date))}
    </time>
  );
}

function yearOf(time: Date, timeZone: string): 'numeric' | undefined {
  const year = new Intl.DateTimeFormat('en-AU', { timeZone, year: 'numeric' });
  return year.format(time) === year.format(new Date()) ? undefined : 'numeric';
}

function exact(time: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-AU', { timeZone, dateStyle: 'full', timeStyle: 'long' }).format(time);
}
