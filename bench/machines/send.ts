import type { Call } from '../http';
import type { Stage } from '../stage';

export interface Answer {
  status: number;
  text: string;
  retryAfter: string | undefined;
  replayed: boolean;
}

/** One request whose answer may be a refusal. */
export async function send(stage: Stage, { method, url, path, credential, body, headers }: Call): Promise<Answer> {
  const reply = await stage.connections(url).request({
    method,
    path,
    body: body === undefined ? null : JSON.stringify(body),
    headers: { authorization: `Bearer ${credential}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
  const header = (name: string): string | undefined => [reply.headers[name]].flat()[0];
  return {
    status: reply.statusCode,
    text: await reply.body.text(),
    retryAfter: header('retry-after'),
    replayed: header('idempotent-replayed') === 'true',
  };
}

/** So many at a time until `count` have been done. */
export async function atOnce(atATime: number, count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      while (next < count) await work(next++);
    }),
  );
}
