import { setTimeout as delay } from 'node:timers/promises';
import type { CpuMeter } from './cpu';

/** What one side of a comparison did, over all its rounds. */
export interface Side {
  done: number;
  elapsedMs: number;
  /** One per request, ms, ascending. */
  latenciesMs: number[];
  /** CPU ms by process over the whole side. */
  cpuMs: Record<string, number>;
}

export interface Comparison {
  ours: Side;
  floor: Side;
}

export type Work = (index: number) => Promise<void>;

export interface Plan {
  rounds: number;
  perRound: number;
  concurrency: number;
  /** No request is begun in a slice after this long. */
  sliceMs?: number;
  /** Left out of the figures: so many of each beforehand. */
  warmUp?: number;
  /** Let the work that goes on behind the answers end before the other side's turn. */
  settleMs?: number;
  /** The same, until it says so. */
  settle?: () => Promise<unknown>;
}

/** A B A B …: whatever else the machine does meanwhile falls on both. */
export async function compare(plan: Plan, cpu: CpuMeter, ours: Work, floor: Work): Promise<Comparison> {
  const sides = { ours: emptySide(), floor: emptySide() };
  const next = { ours: numbered(ours), floor: numbered(floor) };
  const warmUp = plan.warmUp ?? plan.concurrency;
  for (const side of ['ours', 'floor'] as const) await slice(emptySide(), { ...plan, perRound: warmUp }, next[side]);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const side of ['ours', 'floor'] as const) await addSlice(sides[side], plan, cpu, next[side]);
  }
  for (const side of [sides.ours, sides.floor]) side.latenciesMs.sort((a, b) => a - b);
  return sides;
}

/** One more round of one side. */
export async function addSlice(side: Side, plan: Plan, cpu: CpuMeter, work: () => Promise<void>): Promise<void> {
  await (plan.settle?.() ?? delay(plan.settleMs ?? 200));
  const before = cpu.read();
  await slice(side, plan, work);
  add(side.cpuMs, cpu.since(before));
}

/** How many times `compare` calls each side, at most. */
export const callsOf = (plan: Plan): number => plan.rounds * plan.perRound + (plan.warmUp ?? plan.concurrency);

/** So many workers that each begin the next request when the last has been answered. */
export async function slice(side: Side, { perRound, concurrency, sliceMs = 60_000 }: Plan, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  let begun = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (begun < perRound && performance.now() - startedAt < sliceMs) {
        begun += 1;
        const at = performance.now();
        await work();
        side.latenciesMs.push(performance.now() - at);
        side.done += 1;
      }
    }),
  );
  side.elapsedMs += performance.now() - startedAt;
}

export const perSecond = ({ done, elapsedMs }: Side): number => (done * 1000) / elapsedMs;

/** Nearest rank on ascending values. */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.ceil(ascending.length * share) - 1)] ?? Number.NaN;
}

export function emptySide(): Side {
  return { done: 0, elapsedMs: 0, latenciesMs: [], cpuMs: {} };
}

/** 0, 1, 2, … */
export function counter(): () => number {
  let count = 0;
  return () => count++;
}

/** Calls `work` with 0, 1, 2, … */
export function numbered(work: Work): () => Promise<void> {
  const next = counter();
  return () => work(next());
}

function add(sums: Record<string, number>, more: Record<string, number>): void {
  for (const [name, ms] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + ms;
}
