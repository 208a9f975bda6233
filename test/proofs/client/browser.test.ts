import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { findProgram } from '../../support/programs';
import { startService, type TestService } from '../../support/service';
import { aBasket, baseUrlOf } from '../../service/client/support';

const MODULES = path.join(projectRoot, 'packages', 'client', 'dist', 'esm');
const files = readdirSync(MODULES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));

describe('the module in a page', () => {
  it('imports only its own files, no module of Node and no package', () => {
    expect(files.length).toBeGreaterThan(15);
    const named = files.flatMap((file) =>
      [...readModule(file).matchAll(/\b(?:from|import|require)\b[\s(]*(['"`])(.*?)\1/g)].map(([, , specifier]) => specifier ?? ''),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((specifier) => !/^\.\.?\/.*\.js$/.test(specifier))).toEqual([]);
  });

  it('uses no global of Node', () => {
    const taken = files.filter((file) => /(?<!['".\w])(?:Buffer|process|require|__dirname|setImmediate)\b(?!:)/.test(readModule(file)));
    expect(taken).toEqual([]);
  });
});

/** A module without its comments. */
const readModule = (file: string): string => readFileSync(path.join(MODULES, file), 'utf8').replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '');

const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const CHROMIUM = PROGRAMS.find((name) => findProgram(name) !== undefined);
const describeWithChromium = CHROMIUM === undefined ? describe.skip : describe;

describeWithChromium('in a page', () => {
  let service: TestService;
  let server: Server;
  let folder: string;
  let chromium: ChildProcess | null = null;
  let tell: (result: unknown) => void;
  const told = new Promise<unknown>((resolve) => (tell = resolve));

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'trade-print-page-'));
    server = createServer((asked, response) => serve(asked, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    service = await startService({ env: { API_CORS_ORIGINS: origin() } });
  });
  afterAll(async () => {
    if (chromium !== null) await endProcess(chromium);
    server.closeAllConnections();
    server.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** The page and the package's modules. The API and the store have separate origins, as in production. */
  function serve(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url ?? '';
    if (url === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(page());
    if (url === '/told') return void readBody(request).then((body) => (response.end(), tell(JSON.parse(body))));
    if (url.startsWith('/client/')) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(moduleAt(url));
    response.writeHead(404).end();
  }

  const moduleAt = (url: string): string => readFileSync(path.join(MODULES, path.normalize(url.slice('/client/'.length))), 'utf8');

  const page = (): string => `<script type="module">
import { NotFoundError, TradePrint, webhooks } from '/client/index.js';
const tell = (result) => fetch('/told', { method: 'POST', body: JSON.stringify(result) });
try {
  const client = new TradePrint({ apiKey: ${JSON.stringify(service.account.testKey)}, baseUrl: ${JSON.stringify(baseUrlOf(service))} });
  const progress = [];
  const onProgress = ({ sentBytes }) => progress.push(sentBytes);
  const { url, sizeBytes } = await client.uploads.upload(new File([new Uint8Array(1000)], 'dunes.png'), { onProgress });
  const streamed = await client.uploads.upload(new Blob([new Uint8Array(2000)]).stream(), { filename: 'dunes.png' });
  const basket = JSON.parse(${JSON.stringify(JSON.stringify(aBasket('ARTWORK')))}.replace('ARTWORK', url));
  const option = (await client.quotes.shippingOptions(basket)).find((one) => !one.requiresQuote && !one.isCollection);
  const { quoteId } = await client.quotes.create({ ...basket, shippingMethodId: option.id });
  const order = await client.orders.create({ quoteId });
  const missing = await client.orders.get('ord_none', { requestId: 'page-1' }).catch((error) => error);
  const signed = await webhooks.sign({ type: 'order.received', data: order }, 'lpw_secret');
  const event = await webhooks.verify(signed.rawBody, new Headers(signed.headers), 'lpw_secret');
  await tell({ progress, sizes: [sizeBytes, streamed.sizeBytes], status: order.status, missing: missing instanceof NotFoundError && missing.requestId, event: event.type });
} catch (error) {
  await tell({ failed: String(error), stack: error.stack });
}
</script>`;

  it('uploads, orders, distinguishes errors and verifies webhooks', async () => {
    const options = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${folder}`];
    chromium = spawn(CHROMIUM ?? '', [...options, `${origin()}/`], { stdio: 'ignore' });
    expect(await told).toEqual({
      progress: [0, 1000],
      sizes: [1000, 2000],
      status: 'received',
      missing: 'page-1',
      event: 'order.received',
    });
  });
});

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function endProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    child.kill('SIGKILL');
  });
}
