import type { CpuMeter } from '../cpu';
import { addSlice, emptySide, numbered, slice, type Plan, type Side, type Work } from '../load';

/** Some works in turn, A B C, C B A, A B C …: whatever else the machine does meanwhile, and the place in the round, fall on all. */
export async function inTurn<N extends string>(plan: Plan, cpu: CpuMeter, works: Readonly<Record<N, Work>>): Promise<Record<N, Side>> {
  const names = Object.keys(works) as N[];
  const sides = Object.fromEntries(names.map((name) => [name, emptySide()])) as Record<N, Side>;
  const next = Object.fromEntries(names.map((name) => [name, numbered(works[name])])) as Record<N, () => Promise<void>>;
  for (const name of names) await slice(emptySide(), { ...plan, perRound: plan.warmUp ?? plan.concurrency }, next[name]);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) await addSlice(sides[name], plan, cpu, next[name]);
  }
  for (const name of names) sides[name].latenciesMs.sort((a, b) => a - b);
  return sides;
}
