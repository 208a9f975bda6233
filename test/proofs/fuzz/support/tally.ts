import type { Exchange } from './send';

/** How often each endpoint gave which status. */
export class Tally {
  private readonly counts = new Map<string, Map<number, number>>();

  count({ plan, status }: Pick<Exchange, 'plan' | 'status'>): void {
    const of = this.counts.get(plan.endpoint) ?? new Map<number, number>();
    of.set(status, (of.get(status) ?? 0) + 1);
    this.counts.set(plan.endpoint, of);
  }

  /** Of all answers, those that are 2xx (or 304). */
  shareOfSuccess(): number {
    const all = [...this.counts.values()].flatMap((of) => [...of]);
    return sum(all.filter(([status]) => isSuccess(status))) / Math.max(1, sum(all));
  }

  withoutSuccess(): string[] {
    return [...this.counts]
      .filter(([, of]) => ![...of.keys()].some(isSuccess))
      .map(([endpoint]) => endpoint)
      .sort();
  }

  /** One line for each endpoint: how many, and how many of each status. */
  table(): string {
    const lines = [...this.counts]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(
        ([endpoint, of]) =>
          `${endpoint.padEnd(52)} ${String(sum([...of])).padStart(6)}   ${[...of]
            .sort(([a], [b]) => a - b)
            .map(([status, count]) => `${status}: ${count}`)
            .join('  ')}`,
      );
    return [
      ...lines,
      `${'all'.padEnd(52)} ${String(sum([...this.counts.values()].flatMap((of) => [...of]))).padStart(6)}   ${Math.round(this.shareOfSuccess() * 100)} % success`,
    ].join('\n');
  }
}

const isSuccess = (status: number): boolean => (status >= 200 && status < 300) || status === 304;
const sum = (pairs: [number, number][]): number => pairs.reduce((total, [, count]) => total + count, 0);
