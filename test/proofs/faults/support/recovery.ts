import type { FinishedTry } from './retrying-client';
import { kindOf, type PartName } from './stack';

/** A fault that was applied to these parts at once. */
export interface Incident {
  kind: 'killed' | 'frozen';
  parts: PartName[];
  at: number;
}

/** An incident lasts until the next one. Times are from the fault, in milliseconds. */
interface Recovery {
  failed: number;
  /** The first success of a request that was sent after the fault. */
  firstSuccess: number;
  /** The last failure. Later requests all succeeded. */
  steady: number;
  slowest: number;
  /** The longest time without a webhook. */
  webhookGap: number;
}

/** A Markdown table: of each kind of incident the number of incidents, all failed requests, and the longest times in seconds. */
export function tabulateRecoveries(
  incidents: readonly Incident[],
  tries: readonly FinishedTry[],
  arrivals: readonly number[],
  endedAt: number,
): string[] {
  const byKind = new Map<string, Recovery[]>();
  incidents.forEach((incident, index) => {
    const { kind, parts, at } = incident;
    const name = `${parts.map(kindOf).toSorted().join(' and ')} ${kind}`;
    const until = incidents[index + 1]?.at ?? endedAt;
    byKind.set(name, [...(byKind.get(name) ?? []), measureRecovery(at, until, tries, arrivals)]);
  });
  const rows = [...byKind].toSorted().map(([name, found]) => {
    const longest = (time: keyof Recovery): string => (Math.max(...found.map((recovery) => recovery[time])) / 1000).toFixed(1);
    const failed = found.reduce((sum, recovery) => sum + recovery.failed, 0);
    return [name, found.length, failed, longest('firstSuccess'), longest('steady'), longest('slowest'), longest('webhookGap')];
  });
  const head = [
    'incident',
    'times',
    'failed requests',
    'first success',
    'no failure after',
    'slowest response',
    'longest gap between webhooks',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function measureRecovery(at: number, until: number, tries: readonly FinishedTry[], arrivals: readonly number[]): Recovery {
  const within = tries.filter(({ endedAt }) => endedAt >= at && endedAt < until);
  const failures = within.filter(({ failed }) => failed);
  const successes = within.filter(({ failed }) => !failed);
  const times = [at, ...arrivals.filter((time) => time >= at && time < until), until];
  return {
    failed: failures.length,
    firstSuccess: Math.min(until, ...successes.filter(({ sentAt }) => sentAt >= at).map(({ endedAt }) => endedAt)) - at,
    steady: Math.max(at, ...failures.map(({ endedAt }) => endedAt)) - at,
    slowest: Math.max(0, ...within.map(({ sentAt, endedAt }) => endedAt - sentAt)),
    webhookGap: Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time))),
  };
}
