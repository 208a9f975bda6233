import type { Stage } from './stage';

/** The work of one side in one round. */
export interface Burst {
  done: number;
  elapsedMs: number;
  /** One value per operation; empty if only the rate is measured. */
  latenciesMs: number[];
}

/** The sides of a figure, ready to run. `rows` is a second floor, which writes the same rows as the service. */
export interface FigureSides {
  ours(): Promise<Burst>;
  floor(): Promise<Burst>;
  rows?(): Promise<Burst>;
}

export interface Figure {
  title: string;
  /** `ms`: the median latency of a round, lower is better. `/s`: operations a second, higher is better. */
  unit: 'ms' | '/s';
  /** The bound of the median of ours ÷ floor: an upper bound for `ms`, a lower bound for `/s`. */
  goal?: number;
  /** The same for ours ÷ rows. */
  rowsGoal?: number;
  /** The upper bound of the median of p99 ÷ p50 of ours. */
  burstGoal?: number;
  prepare(stage: Stage, isSmoke: boolean): Promise<FigureSides>;
}

/** One value for each round, in the figure's unit. `p50` and `p99` are latencies of ours, ms. */
export type FigureResult = Record<keyof FigureSides | 'p50' | 'p99', number[]>;

const MAX_ROUNDS = 5;
const MIN_ROUNDS = 3;
/** Bursts of each side, including the warm-up. */
export const BURSTS_PER_SIDE = MAX_ROUNDS + 1;

/**
 * Alternates the sides: ours, floor, rows, rows, floor, ours … Each burst starts when the processes are idle. A smoke run has one round,
 * others three to five.
 * @param endsAtMs the monotonic time from which no fourth or fifth round starts
 */
export async function measure(figure: Figure, stage: Stage, isSmoke: boolean, endsAtMs: number): Promise<FigureResult> {
  const sides = await figure.prepare(stage, isSmoke);
  const measured: FigureResult = { ours: [], floor: [], rows: [], p50: [], p99: [] };
  const order = Object.keys(sides) as (keyof FigureSides)[];
  const run = async (name: keyof FigureSides): Promise<Burst> => {
    await stage.database.run('TRUNCATE rate_windows'); // full rate limits
    return (await sides[name]?.()) as Burst;
  };
  if (!isSmoke) for (const name of order) await run(name);
  await stage.waitUntilIdle();
  const isWanted = (round: number): boolean =>
    isSmoke ? round === 0 : round < MIN_ROUNDS || (round < MAX_ROUNDS && performance.now() < endsAtMs);
  for (let round = 0; isWanted(round); round += 1) {
    for (const name of round % 2 === 0 ? order : order.toReversed()) {
      const burst = await run(name);
      measured[name].push(burstValue(burst, figure.unit));
      if (name === 'ours') for (const share of [50, 99] as const) measured[`p${share}`].push(percentile(burst.latenciesMs, share / 100));
      await stage.waitUntilIdle();
    }
  }
  return measured;
}

function burstValue({ done, elapsedMs, latenciesMs }: Burst, unit: Figure['unit']): number {
  const value = unit === 'ms' ? percentile(latenciesMs, 0.5) : (done * 1000) / elapsedMs;
  if (!Number.isFinite(value)) throw new Error(`a round measured ${value} ${unit}`);
  return value;
}

/** Nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.min(ascending.length - 1, Math.ceil(ascending.length * share) - 1)] ?? Number.NaN;
}
