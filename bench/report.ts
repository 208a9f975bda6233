import { percentile, type Figure, type FigureResult } from './figure';

/** A measured figure, which has one row of the table for each comparison. */
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

interface Comparison {
  title: string;
  unit: Figure['unit'];
  goal: number | undefined;
  /** One value for each round. */
  ours: number[];
  floor: number[];
}

const COLUMNS = ['figure', 'unit', 'ours', 'floor', 'ours ÷ floor', 'goal', 'met'];

/** Formats medians with their range, such as "12.3 (11.9–14.0)". A smoke run does not check goals. */
export function formatTable({ rows }: Report, isSmoke: boolean): string {
  const lines = rows.flatMap(comparisonsOf).map(({ title, unit, goal, ours, floor }) => {
    // The ratio of each round, because load on the machine affects all sides of a round.
    const ratios = ours.map((value, round) => value / (floor[round] ?? Number.NaN));
    return [
      title,
      unit,
      formatSpread(ours),
      formatSpread(floor),
      formatSpread(ratios, (value) => value.toFixed(2)),
      goal === undefined ? '–' : formatGoal(goal, unit),
      goal === undefined || isSmoke ? '' : isMet(goal, unit, ratios) ? 'yes' : 'NO',
    ];
  });
  return [COLUMNS, COLUMNS.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function comparisonsOf({ name, figure, measured }: ReportRow): Comparison[] {
  const { title, unit, goal, rowsGoal, burstGoal } = figure;
  const { ours, floor, rows, p50, p99 } = measured;
  const comparisons: Comparison[] = [{ title: `\`${name}\` ${title}`, unit, goal, ours, floor }];
  if (rowsGoal !== undefined)
    comparisons.push({ title: `\`${name}/rows\` the floor writes the same rows`, unit, goal: rowsGoal, ours, floor: rows });
  if (burstGoal !== undefined)
    comparisons.push({ title: `\`${name}/burst\` p99; floor: p50`, unit: 'ms', goal: burstGoal, ours: p99, floor: p50 });
  return comparisons;
}

function formatSpread(values: readonly number[], format: (value: number) => string = formatNumber): string {
  return `${format(percentile(values, 0.5))} (${format(Math.min(...values))}–${format(Math.max(...values))})`;
}

const formatGoal = (goal: number, unit: Figure['unit']): string => `${unit === 'ms' ? '≤' : '≥'} ${Number(goal.toFixed(2))}×`;

function isMet(goal: number, unit: Figure['unit'], ratios: readonly number[]): boolean {
  const median = percentile(ratios, 0.5);
  return unit === 'ms' ? median <= goal : median >= goal;
}

function formatNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
