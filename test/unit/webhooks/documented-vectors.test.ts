import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import vectors from '../../../docs/guides/webhook-vectors.json';
import { blocksOf, readGuide } from '../docs/snippets';

/** The unchanged receiver of the guide, with a fixed clock. */
const PROGRAM = blocksOf(readGuide('docs/guides/webhooks.md')).find(({ language }) => language === 'js')?.text ?? '';
const CLOCK = `Date.now = () => Number(require('node:fs').readFileSync(process.env.CLOCK, 'utf8')) * 1000;\n`;

interface Running {
  url: string;
  stop(): Promise<void>;
}

describe("the guide's receiver and the test vectors", () => {
  let folder: string;
  const receivers = new Map<string, Promise<Running>>();
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vectors-'));
    await writeFile(path.join(folder, 'receiver.cjs'), PROGRAM);
    await writeFile(path.join(folder, 'clock.cjs'), CLOCK);
  });
  afterAll(async () => {
    for (const receiver of receivers.values()) await (await receiver).stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** One for each secret. */
  function receiverWith(secret: string): Promise<Running> {
    const running = receivers.get(secret) ?? start(secret);
    receivers.set(secret, running);
    return running;
  }

  async function start(secret: string): Promise<Running> {
    const child = spawn(process.execPath, ['--require', './clock.cjs', 'receiver.cjs'], {
      cwd: folder,
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0', CLOCK: path.join(folder, 'now') },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit');
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return {
      url: `http://127.0.0.1:${/\d+$/.exec(line)?.[0]}/webhooks`,
      async stop() {
        child.kill();
        await ended;
      },
    };
  }

  it.each(vectors.verify)('$name: $expect', async ({ secret, rawBody, signature, nowSeconds, expect: expected }) => {
    await writeFile(path.join(folder, 'now'), String(nowSeconds));
    const { url } = await receiverWith(secret);
    const reply = await request(url, { method: 'POST', body: rawBody, headers: { 'service-signature': signature } });
    await reply.body.dump();
    expect(reply.statusCode).toBe(expected === 'ok' ? 204 : 400);
  });
});
