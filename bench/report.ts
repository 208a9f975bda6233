import { percentile, type Figure, type Goal, type FigureResult, type SideResult } from './figure';

/** One line of the table of figures. */
export interface Row {
  name: string;
  figure: Figure;
  measured: FigureResult;
}

export interface Report {
  rows: Row[];
  /** Results of the other parts, and CPU time. */
  notes: string[];
}

const COLUMNS = ['figure', 'unit', 'ours', 'floor', 'ours ÷ floor', 'goal', 'met'];

/** Medians of the rounds with their spread: "12.3 (11.9–14.0)". A smoke run judges no goal. */
export function markdown({ rows, notes }: Report, isSmoke: boolean): string {
  const lines = rows.map(({ name, figure, measured }) => {
    const ratios = ratiosOf(measured);
    const { goal } = figure;
    return [
      `\`${name}\` ${figure.what}`,
      figure.unit,
      spread(measured.ours.values),
      spread(measured.floor.values),
      spread(ratios, (value) => value.toFixed(2)),
      goal === undefined ? '–' : goalText(goal, figure.unit),
      goal === undefined || isSmoke ? '' : isMet(goal, figure.unit, measured, ratios) ? 'yes' : 'NO',
    ];
  });
  const table = [COLUMNS, COLUMNS.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
  return [...table, '', ...notes.map((note) => `- ${note}`)].join('\n');
}

/** Each round's own ratio: load on the machine falls on both of its sides. */
function ratiosOf({ ours, floor }: FigureResult): number[] {
  return ours.values.map((value, round) => value / (floor.values[round] ?? Number.NaN));
}

function spread(values: readonly number[], text: (value: number) => string = number): string {
  return `${text(percentile(values, 0.5))} (${text(Math.min(...values))}–${text(Math.max(...values))})`;
}

function goalText({ ours, ratio }: Goal, unit: Figure['unit']): string {
  const sign = unit === 'ms' ? '≤' : '≥';
  const texts = [
    ours === undefined ? [] : [`${sign} ${ours.toLocaleString('en')} ${unit}`],
    ratio === undefined ? [] : [`${sign} ${ratio}×`],
  ];
  return texts.flat().join(', ');
}

function isMet({ ours, ratio }: Goal, unit: Figure['unit'], measured: FigureResult, ratios: readonly number[]): boolean {
  const keeps = (values: readonly number[], bound: number | undefined): boolean =>
    bound === undefined || (unit === 'ms' ? percentile(values, 0.5) <= bound : percentile(values, 0.5) >= bound);
  return keeps(measured.ours.values, ours) && keeps(ratios, ratio);
}

/** The slow end of a latency, and the CPU time of one operation on each side. */
export function notesOf({ name, figure, measured: { ours, floor } }: Row): string[] {
  const p99 = ({ latenciesMs }: SideResult): string => number(percentile(latenciesMs, 0.99));
  const latency = figure.unit === 'ms' ? [`\`${name}\` p99: ours ${p99(ours)} ms, floor ${p99(floor)} ms`] : [];
  return [...latency, `\`${name}\` CPU: ${cpuOf(ours)}`, `\`${name}\` CPU of its floor, ${figure.floor}: ${cpuOf(floor)}`];
}

/** CPU ms of one operation by process, the largest first. */
export function cpuOf({ done, cpuMs }: Pick<SideResult, 'done' | 'cpuMs'>): string {
  const parts = Object.entries(cpuMs).map(([name, ms]) => [name, ms / done] as const);
  const shown = parts.filter(([, ms]) => ms >= 0.005).toSorted(([, a], [, b]) => b - a);
  const total = shown.reduce((sum, [, ms]) => sum + ms, 0);
  return `${total.toFixed(2)} ms = ${shown.map(([name, ms]) => `${name} ${ms.toFixed(2)}`).join(' + ')}`;
}

export function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
