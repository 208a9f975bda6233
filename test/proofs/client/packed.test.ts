import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../../scripts/start/project';
import manifest from '../../../packages/client/package.json';
import { describeWithProgram } from '../../support/programs';
import { useService } from '../../support/fixtures';
import { aBasket, aClient, aQuoteId, baseUrlOf } from '../../service/client/support';

const run = promisify(execFile);
const PACKAGE = path.join(projectRoot, 'packages', 'client');

/** A project in which only the package is installed. */
let folder: string;
let tarball: { filename: string; files: { path: string }[] };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'trade-print-consumer-'));
  // `npm test` has built dist/, and other tests are reading it.
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: PACKAGE });
  tarball = (JSON.parse(packed.stdout) as [typeof tarball])[0];
  await writeFile(path.join(folder, 'package.json'), '{ "name": "shop", "version": "1.0.0", "private": true }');
  await run('npm', ['install', '--offline', '--package-lock', '--no-audit', '--no-fund', `./${tarball.filename}`], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('contains the two builds, the manifest, the README and the license, and has no dependencies', async () => {
  const held = tarball.files.map((file) => file.path);
  expect(
    held.filter(
      (file) => !/^(?:dist\/(?:esm|cjs)\/.+\.(?:js|d\.ts)|dist\/cjs\/package\.json|package\.json|README\.md|LICENSE)$/.test(file),
    ),
  ).toEqual([]);
  expect(held).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/esm/index.js', 'dist/cjs/index.js']));
  const { packages } = JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8')) as { packages: object };
  expect(Object.keys(packages)).toEqual(['', 'node_modules/@trade-print/client']);
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('peerDependencies');
});

it.each([
  ['publint finds no problem', ['publint', 'run', 'PACKAGE', '--strict']],
  ['the types resolve for CommonJS, modules and bundlers (arethetypeswrong)', ['attw', 'PACKAGE', '--no-definitely-typed']],
])('%s', async (_what, [program = '', ...args]) => {
  const packed = path.join(folder, tarball.filename);
  const file = path.join(projectRoot, 'node_modules', '.bin', program);
  const result = run(
    file,
    args.map((arg) => (arg === 'PACKAGE' ? packed : arg)),
  );
  expect((await result).stdout).toMatch(/All good!|No problems found/);
});

describe('in an empty project, against the running service', () => {
  const service = useService();

  const program = `
async function main() {
  const client = new TradePrint({ apiKey: process.env.TRADE_PRINT_KEY, baseUrl: process.env.TRADE_PRINT_URL });
  const { url } = await client.uploads.upload(Buffer.alloc(10), { filename: 'dunes.png' });
  const basket = JSON.parse(process.env.BASKET.replace('ARTWORK', url));
  const option = (await client.quotes.shippingOptions(basket)).find((one) => !one.requiresQuote && !one.isCollection);
  const { quoteId } = await client.quotes.create({ ...basket, shippingMethodId: option.id });
  const order = await client.orders.create({ quoteId });
  const refused = await client.orders.create({ quoteId }).catch((error) => error);
  const signed = await webhooks.sign({ type: 'order.received', data: order }, 'lpw_secret');
  const event = await webhooks.verify(signed.rawBody, signed.headers, 'lpw_secret');
  for await (const { orderId } of client.orders.list()) if (orderId === order.orderId)
    console.log(JSON.stringify([order.status, refused instanceof QuoteAlreadyOrderedError, event.data.orderId === orderId]));
}
main();`;
  const names = '{ TradePrint, QuoteAlreadyOrderedError, webhooks }';

  const runProgram = async (file: string, args: string[] = [], command: string[] = [process.execPath]): Promise<string> => {
    const [runtime = '', ...options] = command;
    const env = {
      PATH: process.env.PATH,
      TRADE_PRINT_KEY: service.account.testKey,
      TRADE_PRINT_URL: baseUrlOf(service),
      BASKET: JSON.stringify(aBasket('ARTWORK')),
    };
    return (await run(runtime, [...options, path.join(folder, file), ...args], { env, cwd: folder })).stdout;
  };

  it.each([
    ['import', 'shop.mjs', `import ${names} from '@trade-print/client';`],
    ['require', 'shop.cjs', `const ${names} = require('@trade-print/client');`],
  ])('works with %s', async (_how, file, head) => {
    await writeFile(path.join(folder, file), head + program);
    expect(JSON.parse(await runProgram(file))).toEqual(['received', true, true]);
  });

  it('works on a page over plain http and in jsdom, which lack these functions', async () => {
    // Node's own fetch needs TextEncoder, so it returns once the package is loaded.
    const load = `const { TextEncoder } = globalThis; delete globalThis.TextEncoder; const ${names} = require('@trade-print/client');
      globalThis.TextEncoder = TextEncoder; Object.defineProperty(crypto, 'randomUUID', { value: undefined });`;
    const body = program.replace(/.*webhooks.*\n/g, '').replace('event.data.orderId === orderId', 'true');
    await writeFile(path.join(folder, 'page.cjs'), load + body);
    expect(JSON.parse(await runProgram('page.cjs'))).toEqual(['received', true, true]);
  });

  it('sends bytes as a Blob on Cloudflare Workers, which imitate Node and send a stream without its length', async () => {
    const source = `Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Cloudflare-Workers' } });
      const ${names} = require('@trade-print/client');
      const bodies = [];
      const fetch = (url, init) => {
        if (init.method === 'PUT') bodies.push(init.body instanceof Blob && init.duplex === undefined);
        return globalThis.fetch(url, init);
      };
      new TradePrint({ apiKey: process.env.TRADE_PRINT_KEY, baseUrl: process.env.TRADE_PRINT_URL, fetch }).uploads
        .upload(Buffer.alloc(10), { filename: 'dunes.png' })
        .then(() => console.log(JSON.stringify(bodies)));`;
    await writeFile(path.join(folder, 'worker.cjs'), source);
    expect(JSON.parse(await runProgram('worker.cjs'))).toEqual([true]);
  });

  for (const [name, ...args] of [['bun'], ['deno', 'run', '--allow-all']] as const) {
    describeWithProgram(name, `on ${name}`, () => {
      it('uploads with a length, orders and verifies', async () => {
        await writeFile(path.join(folder, `${name}.mjs`), `import ${names} from '@trade-print/client';${program}`);
        expect(JSON.parse(await runProgram(`${name}.mjs`, [], [name, ...args]))).toEqual(['received', true, true]);
      });
    });
  }

  it('runs the program of its README, which orders once also if repeated', async () => {
    const readme = await readFile(path.join(PACKAGE, 'README.md'), 'utf8');
    const [, example = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
    const [, picture = ''] = /```sh\n(.*?)\n/.exec(readme) ?? [];
    const [database, kept] = [service.deps.database, path.join(folder, 'shop-order-3001.json')];
    const orders = () => database.rows<{ quote_id: string }>('SELECT quote_id FROM orders');
    await writeFile(path.join(folder, 'order.mjs'), example);
    await run('sh', ['-c', picture], { cwd: folder });

    const expired = await aQuoteId(aClient(service));
    await database.rows("UPDATE quotes SET expires_at = now() - interval '1 minute' WHERE id = $1", [expired]);
    await writeFile(kept, JSON.stringify({ quoteId: expired }));
    await expect(runProgram('order.mjs', ['dunes.png'])).rejects.toThrow(
      /nothing was ordered, the price held until .*Z: delete shop-order-3001.json/,
    );
    await rm(kept);
    const before = await orders();

    const first = await runProgram('order.mjs', ['dunes.png']);
    expect(first).toMatch(/^0 of 69 bytes\n69 of 69 bytes\n\d+ cents, held until .*\nT-\d+ is received\n$/);
    const { quoteId } = JSON.parse(await readFile(kept, 'utf8')) as { quoteId: string };
    const [told] = /T-.*\n/.exec(first) ?? [];
    expect(await runProgram('order.mjs', ['dunes.png'])).toBe(told);
    // A day later the key has expired, and the quote has not.
    await database.rows("UPDATE idempotency_records SET expires_at = now() - interval '1 second'");
    expect(await runProgram('order.mjs', ['dunes.png'])).toBe(told);
    expect(await orders()).toHaveLength(before.length + 1);
    expect((await orders()).filter(({ quote_id }) => quote_id === quoteId)).toHaveLength(1);
  });
});

describe('compiles a valid TypeScript program, and rejects an invalid one', () => {
  const installed = (root: string) => [process.execPath, path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')];
  const fromRegistry = (version: string) => ['npx', '--yes', '--package', `typescript@${version}`, '--', 'tsc'];
  const TYPESCRIPT_7 = installed(projectRoot);
  const TYPESCRIPT_5 = installed(PACKAGE);
  const TYPESCRIPT_5_0 = fromRegistry('5.0.4');
  const TYPESCRIPT_5_4 = fromRegistry('5.4.5');
  const inNode = { types: ['node'], typeRoots: [path.join(projectRoot, 'node_modules', '@types')], lib: ['es2022'] };
  const inPages = { types: [], lib: ['es2022', 'dom', 'dom.iterable'] };

  async function compile([program = '', ...args]: string[], file: string, source: string, options: object): Promise<string> {
    const at = await mkdtemp(path.join(folder, 'types-'));
    await mkdir(path.join(at, 'node_modules'));
    await cp(path.join(folder, 'node_modules', '@trade-print'), path.join(at, 'node_modules', '@trade-print'), { recursive: true });
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      target: 'es2022',
      ...options,
    };
    await writeFile(path.join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    await writeFile(path.join(at, file), source);
    const said = run(program, [...args, '-p', at]);
    const all = ({ stdout, stderr }: { stdout: string; stderr: string }): string => stdout + stderr;
    return said.then(all, all);
  }

  const PROGRAM = `import { TradePrint, TradePrintError, QuoteExpiredError, ShippingUnavailableError, webhooks, type Order, type QuoteRequest } from '@trade-print/client';
const client = new TradePrint({ apiKey: 'lpk_test_', fetch: (url, init) => fetch(url, init) });
export async function order(basket: QuoteRequest): Promise<Order> {
  try {
    const quote = await client.quotes.create(basket, { signal: new AbortController().signal });
    const cents: number = quote.totalCents;
    return await client.orders.create({ quoteId: quote.quoteId, specialInstructions: String(cents) }, { idempotencyKey: 'a' });
  } catch (error) {
    if (error instanceof ShippingUnavailableError) for (const { priceCents } of error.details.shippingOptions) priceCents.toFixed();
    if (error instanceof QuoteExpiredError) { const code: 'QUOTE_EXPIRED' = error.code; error.details.expiresAt.slice(0, code.length); }
    if (error instanceof TradePrintError) { const id: string = error.requestId; const status: number | null = error.status; void [id, status]; }
    throw error;
  }
}
export async function hear(rawBody: Uint8Array, headers: Record<string, string | string[] | undefined>, age?: number | undefined): Promise<string> {
  const event = await webhooks.verify(rawBody, headers, ['lpw_new', 'lpw_old'], { toleranceSeconds: age, now: undefined });
  await webhooks.sign({ type: 'ping', data: {} }, 'lpw_new', { now: undefined });
  switch (event.type) {
    case 'order.shipped': return event.data.shipments.map(({ trackingNumber }) => trackingNumber).join();
    case 'ping': return event.data.endpointId;
    default: { const type: string = event.type; return type; }
  }
}
export async function all(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { orderId } of client.orders.list({ limit: 10 })) ids.push(orderId);
  const { data, nextCursor } = await client.orders.list().page();
  const pdf = new Blob([await client.orders.invoicePdf('ord_1')]);
  ids.push(String(pdf.size));
  return [...ids, ...data.filter(({ status }) => status !== 'came_later').map(({ status }) => status), nextCursor ?? ''];
}
`;

  it.each([
    ['as a module of Node, by TypeScript 7', TYPESCRIPT_7, 'shop.mts', { module: 'node16', ...inNode }],
    ['as CommonJS of Node, by TypeScript 7', TYPESCRIPT_7, 'shop.cts', { module: 'node16', ...inNode }],
    ['for a bundler, by TypeScript 7', TYPESCRIPT_7, 'shop.ts', { module: 'es2022', moduleResolution: 'bundler', ...inPages }],
    ['as a module of Node, by TypeScript 5', TYPESCRIPT_5, 'shop.mts', { module: 'node16', ...inNode }],
    ['as CommonJS of Node, by TypeScript 5', TYPESCRIPT_5, 'shop.cts', { module: 'node16', ...inNode }],
    ['for a bundler, by TypeScript 5', TYPESCRIPT_5, 'shop.ts', { module: 'es2022', moduleResolution: 'bundler', ...inPages }],
    ['for a bundler, by TypeScript 5.4', TYPESCRIPT_5_4, 'shop.ts', { module: 'es2022', moduleResolution: 'bundler', ...inPages }],
    ['for a bundler, by TypeScript 5.0', TYPESCRIPT_5_0, 'shop.ts', { module: 'es2022', moduleResolution: 'bundler', ...inPages }],
    [
      'as CommonJS with old resolution, by TypeScript 5.0',
      TYPESCRIPT_5_0,
      'shop.ts',
      { module: 'commonjs', moduleResolution: 'node', ...inPages },
    ],
  ])('%s', async (_how, compiler, file, options) => {
    expect(await compile(compiler, file, PROGRAM, options)).toBe('');
  });

  it.each([
    ['a basket without an address', 'await client.quotes.create({ items: [] });', 'shippingAddress'],
    ['a change of an unknown field', 'await client.orders.change("a", { quantity: 2 });', 'quantity'],
    ['an unknown field of an order', '(await client.orders.get("a")).totalDollars;', 'totalDollars'],
    ['a filter by an unknown status', 'await client.orders.list({ status: "lost" }).page();', 'lost'],
    ['an unknown type of upload', 'await client.uploads.upload(new Uint8Array(1), { contentType: "image/gif" });', 'image/gif'],
  ])('not with %s', async (_what, statement, said) => {
    const source = `${PROGRAM}export async function wrong(): Promise<void> { ${statement} }\n`;
    expect(await compile(TYPESCRIPT_7, 'shop.mts', source, { module: 'node16', ...inNode })).toContain(said);
  });
});
