import type { Report } from '../report';
import type { Stage } from '../stage';
import { SERVER_KINDS, type ServerKind } from '../temporal';
import { away, AWAY_ENV } from './away';
import { GROWTH_ENV, growth } from './growth';
import { inspection } from './inspection';
import { life } from './life';
import { MACHINES_ENV, machines } from './machines';
import { orders } from './orders';
import { quotes } from './quotes';
import { reads } from './reads';
import { webhooks } from './webhooks';

export interface Part {
  /** Adds its rows and notes as soon as it has them: a run that is stopped shows what there is. */
  run(stage: Stage, quick: boolean, report: Report): Promise<void>;
  /** The Temporal servers it runs on unless --server says otherwise, one after the other. */
  servers: readonly ServerKind[];
  /** Settings of the service for this part; it has a stage of its own then. */
  env?: Record<string, string>;
}

/** In the order they run in. */
export const PARTS: Readonly<Record<string, Part>> = {
  orders: { run: orders, servers: ['dev', 'disk', 'current'] },
  away: { run: away, servers: ['dev'], env: AWAY_ENV },
  life: { run: life, servers: ['dev'] },
  reads: { run: reads, servers: ['dev'] },
  quotes: { run: quotes, servers: ['dev'] },
  webhooks: { run: webhooks, servers: ['current'] },
  machines: { run: machines, servers: ['current'], env: MACHINES_ENV },
  inspection: { run: inspection, servers: ['dev'] },
  growth: { run: growth, servers: ['dev'], env: GROWTH_ENV },
};

export interface Step extends Part {
  name: string;
  server: ServerKind;
}

/** The named parts on their servers; those that share a stage follow each other. */
export function stepsOf(names: readonly string[], server: ServerKind | undefined): Step[] {
  const steps = names.flatMap((name) => {
    const part = PARTS[name];
    return part === undefined ? [] : (server === undefined ? part.servers : [server]).map((kind) => ({ ...part, name, server: kind }));
  });
  const rank = ({ server: kind, env }: Step): number => SERVER_KINDS.indexOf(kind) * 2 + (env === undefined ? 0 : 1);
  return steps.sort((a, b) => rank(a) - rank(b));
}
