import { perSecond, percentile, type Comparison, type Side } from './load';

/** One line of the final table. Cells that make no sense for a figure are left out. */
export interface Row {
  what: string;
  /** The Temporal server it was measured on. */
  server?: string;
  concurrency?: number;
  ours?: string;
  floor?: string;
  ratio?: string;
  p50?: string;
  p99?: string;
  goal?: string;
  met?: boolean;
}

export interface Report {
  rows: Row[];
  /** Lines below the table: where the time went, what was counted. */
  notes: string[];
}

/** Bounds a comparison has to keep; those left out are not judged. */
export interface Goal {
  /** Our throughput over the floor's, at least. */
  throughput?: number;
  /** Our latency over the floor's, at most. */
  p50?: number;
  p99?: number;
}

export function comparisonRow(what: string, concurrency: number, { ours, floor }: Comparison, goal: Goal = {}): Row {
  const ratio = perSecond(ours) / perSecond(floor);
  const latency = (share: number) => ({ ours: percentile(ours.latenciesMs, share), floor: percentile(floor.latenciesMs, share) });
  const [p50, p99] = [latency(0.5), latency(0.99)];
  const judged = [
    goal.throughput === undefined ? null : { text: `≥ ${percent(goal.throughput)}`, met: ratio >= goal.throughput },
    goal.p50 === undefined ? null : { text: `p50 ≤ ${goal.p50}×`, met: p50.ours <= goal.p50 * p50.floor },
    goal.p99 === undefined ? null : { text: `p99 ≤ ${goal.p99}×`, met: p99.ours <= goal.p99 * p99.floor },
  ].filter((one) => one !== null);
  return {
    what,
    concurrency,
    ours: number(perSecond(ours)),
    floor: number(perSecond(floor)),
    ratio: percent(ratio),
    p50: pair(p50.ours, p50.floor),
    p99: pair(p99.ours, p99.floor),
    ...(judged.length === 0
      ? {}
      : { goal: judged.map(({ text, met }) => `${text}${met ? '' : ' (missed)'}`).join(', '), met: judged.every(({ met }) => met) }),
  };
}

/** "12.3 / 9.8 ms (1.26×)" */
export const pair = (ours: number, floor: number): string => `${number(ours)} / ${number(floor)} ms (${(ours / floor).toFixed(2)}×)`;

/** CPU ms per request by process, the largest first. */
export function cpuNote(what: string, { done, cpuMs }: Side): string {
  const parts = Object.entries(cpuMs)
    .filter(([, ms]) => ms / done >= 0.005)
    .sort(([, a], [, b]) => b - a);
  const total = parts.reduce((sum, [, ms]) => sum + ms, 0);
  return `CPU ms for one of ${what}: ${(total / done).toFixed(2)} = ${parts.map(([name, ms]) => `${name} ${(ms / done).toFixed(2)}`).join(' + ')}`;
}

export function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`;

const COLUMNS = ['what', 'server', 'concurrency', 'ours /s', 'floor /s', 'ratio', 'p50 ours / floor', 'p99 ours / floor', 'goal', 'met'];

export function markdown({ rows, notes }: Report): string {
  const lines = rows.map((row) => [
    row.what,
    row.server ?? '',
    row.concurrency ?? '',
    row.ours ?? '',
    row.floor ?? '',
    row.ratio ?? '',
    row.p50 ?? '',
    row.p99 ?? '',
    row.goal ?? '–',
    row.met === undefined ? '' : row.met ? 'yes' : 'NO',
  ]);
  const table = [COLUMNS, COLUMNS.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
  return [...table, '', ...notes.map((note) => `- ${note}`)].join('\n');
}
