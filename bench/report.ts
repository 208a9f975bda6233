import { percentile, type Figure, type FigureResult } from './figure';

/** One row of the table. */
export interface ReportRow {
  name: string;
  figure: Figure;
  measured: FigureResult;
}

export interface Report {
  /** Versions of Temporal's server and PostgreSQL. */
  versions: string;
  rows: ReportRow[];
}

const COLUMNS = ['figure', 'unit', 'ours', 'floor', 'ours ÷ floor', 'goal', 'met'];

/** Formats medians with their range, such as "12.3 (11.9–14.0)". A smoke run does not check goals. */
export function formatTable({ rows }: Report, isSmoke: boolean): string {
  const lines = rows.map(({ name, figure, measured }) => {
    const ratios = ratiosOf(measured);
    const { goal } = figure;
    return [
      `\`${name}\` ${figure.title}`,
      figure.unit,
      formatSpread(measured.ours),
      formatSpread(measured.floor),
      formatSpread(ratios, (value) => value.toFixed(2)),
      goal === undefined ? '–' : formatGoal(goal, figure.unit),
      goal === undefined || isSmoke ? '' : isMet(goal, figure.unit, ratios) ? 'yes' : 'NO',
    ];
  });
  return [COLUMNS, COLUMNS.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The ratio of each round, because load on the machine affects both sides of a round. */
function ratiosOf({ ours, floor }: FigureResult): number[] {
  return ours.map((value, round) => value / (floor[round] ?? Number.NaN));
}

function formatSpread(values: readonly number[], format: (value: number) => string = formatNumber): string {
  return `${format(percentile(values, 0.5))} (${format(Math.min(...values))}–${format(Math.max(...values))})`;
}

const formatGoal = (goal: number, unit: Figure['unit']): string => `${unit === 'ms' ? '≤' : '≥'} ${goal}×`;

function isMet(goal: number, unit: Figure['unit'], ratios: readonly number[]): boolean {
  const median = percentile(ratios, 0.5);
  return unit === 'ms' ? median <= goal : median >= goal;
}

function formatNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
