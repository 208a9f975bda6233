import { Agent, request } from 'undici';
import type { Dependencies } from '../../../../src/processes/dependencies';
import { aKey, anAccount, type TestAccount } from '../../../support/accounts';
import { HttpClient } from '../../../support/client';
import type { Stack } from '../../faults/support/stack';

/** Only `npm run test:attacks` judges times, because other proofs would slow both accounts down. */
export const CHECKS_TIMES = process.env['ATTACK_TIMES'] !== undefined;

/** The attacked service, and the attacker's account with more keys than an attack needs. */
export interface World {
  stack: Stack;
  deps: Dependencies;
  attacker: TestAccount;
  /** Test keys of the attacker, each with its own budget. */
  keys: readonly string[];
  trade(key?: string): HttpClient;
}

export interface Attack {
  name: string;
  /** Preparations of the attacker, within its rate limits. */
  prepare?(world: World): Promise<void>;
  /** The attack itself. Returns the answers that the attacker got. */
  run(world: World): Promise<string>;
  /** The answers that each run must return. */
  expected?: string;
}

export async function createWorld(stack: Stack): Promise<World> {
  const deps = await stack.dependencies();
  const attacker = await anAccount(deps.database);
  const keys = await Promise.all(Array.from({ length: 20 }, () => aKey(deps.database, attacker.accountId)));
  return { stack, deps, attacker, keys, trade: (key = attacker.testKey) => new HttpClient(stack.tradeUrl, key) };
}

const agent = new Agent({ connections: 200, headersTimeout: 120_000, bodyTimeout: 120_000 });

/** Sends requests at the same time and counts the answers by status. */
export async function statuses(requests: readonly { url: string; options?: Parameters<typeof request>[1] }[]): Promise<string> {
  const answers = await Promise.all(
    requests.map(({ url, options }) =>
      request(url, { ...options, dispatcher: agent }).then(
        async ({ statusCode, body }) => {
          await body.dump({ limit: 256 * 1024 * 1024 });
          return String(statusCode);
        },
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      ),
    ),
  );
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
