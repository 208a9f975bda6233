import { StudioClient } from './studio';

interface Options {
  before: string;
  dryRun?: boolean;
  json?: boolean;
}

interface Answer {
  dryRun: boolean;
  orders: number;
  quotes: number;
  artwork: number;
  complete?: boolean;
}

/** `trade-print erase`: asks the studio API until all is erased; answers what to print. @throws CommandProblem */
export async function eraseCommand(
  accountId: string,
  { before, dryRun = false, json = false }: Options,
  env = process.env,
): Promise<string> {
  const studio = new StudioClient(env);
  const total: Answer = { dryRun, orders: 0, quotes: 0, artwork: 0 };
  for (let complete = false; !complete;) {
    const some = await studio.post<Answer>(`/accounts/${encodeURIComponent(accountId)}/erase`, { before, dryRun });
    for (const part of ['orders', 'quotes', 'artwork'] as const) total[part] += some[part];
    complete = some.complete ?? true;
  }
  return json ? JSON.stringify(total) : table(total);
}

function table({ dryRun, orders, quotes, artwork }: Answer): string {
  return [
    dryRun ? 'would be erased' : 'erased',
    `  orders          ${orders}`,
    `  expired quotes  ${quotes}`,
    `  artwork files   ${artwork}`,
  ].join('\n');
}
