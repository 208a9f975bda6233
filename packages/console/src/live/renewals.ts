import type { QueryClient } from '@tanstack/react-query';

/** How often lists of one noun may be asked for because of events; a busy studio makes many events a second. */
const PACE_MS = 1_000;
/** Plots of whole days need not follow each order. */
const PACES_MS: Readonly<Record<string, number>> = { stats: 15_000 };
const TURN_MS = 250;

/** Reads again what events made old: each noun's queries at most once in their pace, and not while they are still being read. */
export class Renewals {
  private readonly old = new Set<string>();
  private readonly readAt = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly queries: QueryClient) {}

  /** The first words of the keys of the queries that are old now. */
  add(nouns: readonly string[]): void {
    for (const noun of nouns) this.old.add(noun);
    this.renew();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.old.clear();
  }

  private renew(): void {
    clearTimeout(this.timer);
    for (const noun of this.old) if (this.isDue(noun)) this.read(noun);
    // What could not be read yet waits; an event that comes while it is read may be of what the answer does not have.
    if (this.old.size > 0) this.timer = setTimeout(() => this.renew(), TURN_MS);
  }

  private isDue(noun: string): boolean {
    const since = Date.now() - (this.readAt.get(noun) ?? 0);
    return since >= (PACES_MS[noun] ?? PACE_MS) && this.queries.isFetching({ queryKey: [noun] }) === 0;
  }

  private read(noun: string): void {
    this.old.delete(noun);
    this.readAt.set(noun, Date.now());
    void this.queries.invalidateQueries({ queryKey: [noun] });
  }
}
