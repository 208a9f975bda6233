import { createHash } from 'node:crypto';
import type { PathLike } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import type { Command } from 'commander';
import { ENVIRONMENTS } from '../domain/limits';
import { parseNumber, readNumber } from '../domain/order-number';
import type { BaseStatus } from '../domain/order-status';
import { writeDurably } from '../storage/durable-files';
import { type ArtworkFile, ArtworkFolder, FolderFailure, isSafeName, throwFolderFailure, type Verified } from './artwork-folder';
import { API_COMMANDS } from './commands';
import { CommandFailure, EXIT } from './errors';
import { resolveLogin } from './login';
import { addExamples, addFieldOptions, findOrAddGroup } from './program';
import { toQuery } from './run-command';
import { safeJson, safeText } from './safe-text';
import { StudioClient } from './studio-client';
import type { Terminal } from './terminal';

interface ArtworkFlags {
  out: string;
  again?: boolean;
  json?: boolean;
  studio?: string;
}

/** An order of `GET /orders/artwork`. */
interface ListedOrder {
  orderNumber: string;
  baseStatus: BaseStatus;
  files: ListedFile[];
}
type ListedFile = Omit<ArtworkFile, 'orderNumber' | 'checksum'> & { state: string; printed: boolean; checksum: string | null };

type Query = Readonly<Record<string, string>>;

/** `trade-print orders artwork`: fetches the artwork of orders into a folder that a print program watches. */
export function addArtwork(program: Command, terminal: Terminal): void {
  const artwork = findOrAddGroup(program, 'orders')
    .command('artwork')
    .description(
      'fetch the artwork of orders into a folder, verified, each file once; run it again to continue or to get new files\n\nThe default is orders in production, also partly shipped ones. Printed lines, orders on hold and cancelled orders are left out.',
    );
  const fields = addFieldOptions(artwork, API_COMMANDS.find(({ name }) => name === 'orders list')?.options ?? []);
  artwork
    .requiredOption('--out <folder>', 'the folder; its manifest .trade-print/manifest.jsonl lists what was fetched')
    .option('--again', 'fetch files that were fetched before, and those of printed lines')
    .option('--json', 'print a line of JSON for each file')
    .option('--studio <url>', 'URL of the studio API (default: STUDIO_URL, else the URL of the login)');
  addExamples(artwork, ['orders artwork --out /srv/hotfolder', 'orders artwork --q P-10041 --out /srv/hotfolder --again']);
  artwork.action(async () => {
    const flags = artwork.opts<ArtworkFlags>();
    const client = new StudioClient(resolveLogin(terminal.env, flags.studio));
    await fetchArtwork(client, toQuery(fields), flags, terminal);
  });
}

async function fetchArtwork(client: StudioClient, query: Query, flags: ArtworkFlags, terminal: Terminal): Promise<void> {
  const stop = terminal.stopSignal();
  const isStopped = (): boolean => stop.aborted;
  const folder = await ArtworkFolder.open(flags.out);
  const isAgain = flags.again === true;
  let [fetched, present, notReady, failures] = [0, 0, 0, 0];
  const report = (name: string, texts: readonly (string | null)[]): void =>
    terminal.err(`${safeText(`${name}: ${texts.filter((text) => text !== null).join('; ')}`)}\n`);
  /** Reports a failure that concerns one file. */
  const attempt = async (name: string, action: () => Promise<void>): Promise<void> => {
    if (isStopped()) throw interrupted();
    try {
      await action();
    } catch (error) {
      if (isStopped()) throw interrupted();
      // Neither a service that is away nor a full disk gets better with the next file.
      if (!(error instanceof CommandFailure) || error instanceof FolderFailure || error.exitCode === EXIT.unreachable) throw error;
      failures += 1;
      report(name, [error.message]);
    }
  };
  try {
    const listed = await listOrders(client, fetchQueries(query));
    const current = await folder.currentFiles();
    const unlisted = current.map(({ orderNumber }) => orderNumber).filter((orderNumber) => !listed.has(orderNumber));
    const orders = new Map([...(await listOrders(client, checkQueries(query, unlisted))), ...listed]);
    for (const { name, orderNumber } of current)
      if (!orders.has(orderNumber)) report(name, [`the service does not know ${orderNumber}; ${name} stays in the folder`]);
    const files: ArtworkFile[] = [];
    for (const order of orders.values()) {
      const { orderNumber } = order;
      const isListed = listed.has(orderNumber);
      const placed = current.filter((file) => file.orderNumber === orderNumber);
      const names = new Map([...placed, ...order.files].map(({ line, name }) => [line, name]));
      for (const [line, name] of names) {
        const wanted = findFile(order, line, isAgain);
        if (wanted === PRINTED && !folder.isWaiting({ orderNumber, line })) continue;
        await attempt(name, async () => {
          const [file, reason] = typeof wanted === 'string' ? [null, wanted] : [wanted, null];
          const isRejected = reason === REASONS['rejected'];
          const effect = await folder.reconcile({ orderNumber, line }, file?.checksum ?? null, isRejected);
          if (effect !== null || (isListed && reason !== null)) report(name, [reason ?? 'replaced', effect]);
          if (isListed && reason !== null) notReady += 1;
          if (isListed && file !== null) files.push(file);
        });
      }
    }
    for (const file of files) {
      if (!isAgain && folder.hasPlaced(file)) {
        present += 1;
        continue;
      }
      await attempt(file.name, async () => {
        const { verified, sha256 } = await fetchFile(client, folder, file, stop);
        fetched += 1;
        terminal.out(`${flags.json === true ? safeJson({ ...file, verified, sha256 }) : file.name}\n`);
      });
    }
    terminal.err(`${fetched} fetched, ${present} fetched before, ${notReady} not ready, ${failures} failed\n`);
  } finally {
    await folder.close();
  }
  if (failures > 0) throw new CommandFailure('');
}

const interrupted = (): CommandFailure => new CommandFailure('interrupted; run the command again to continue', EXIT.unreachable);

/** Queries for the orders to fetch. A complete number in `q` names one order of any status. */
function fetchQueries(query: Query): Query[] {
  const { status, partShipped, q = '' } = query;
  if (status !== undefined || partShipped !== undefined || readNumber('order', q, null) !== null) return [query];
  return [
    { ...query, status: 'in_production' },
    { ...query, partShipped: 'true' },
  ];
}

/** The maximum of `orderNumbers`. */
const NUMBERS_PER_QUERY = 50;

/** Queries for other orders whose files may have to leave the folder. Artwork of held orders can be rejected after its file was taken. */
function checkQueries(query: Query, orderNumbers: readonly string[]): Query[] {
  const queries: Query[] = [{ ...query, status: 'on_hold' }];
  for (const environment of ENVIRONMENTS) {
    const numbers = [...new Set(orderNumbers)].filter((number) => parseNumber(number)?.environment === environment);
    while (numbers.length > 0) queries.push({ environment, orderNumbers: numbers.splice(0, NUMBERS_PER_QUERY).join(',') });
  }
  return queries;
}

async function listOrders(client: StudioClient, queries: readonly Query[]): Promise<Map<string, ListedOrder>> {
  const orders = new Map<string, ListedOrder>();
  for (const query of queries) {
    const { rows } = await client.list({ method: 'GET', path: '/orders/artwork', query }, Number.POSITIVE_INFINITY);
    for (const order of rows as ListedOrder[]) orders.set(order.orderNumber, order);
  }
  return orders;
}

const PRINTED = 'printed already';

const REASONS: Readonly<Record<string, string>> = {
  missing: 'not uploaded yet',
  rejected: 'rejected; waits for other artwork',
  unreadable: 'unreadable; waits for other artwork',
  on_hold: 'the order is on hold',
  cancelled: 'the order is cancelled',
};

/** The file of a line, or the reason why it must not be printed. */
function findFile({ orderNumber, baseStatus, files }: ListedOrder, line: number, includesPrinted: boolean): ArtworkFile | string {
  const listed = files.find((file) => file.line === line);
  if (listed === undefined) return 'the order has no such artwork any more';
  const { name, sizeBytes, checksum, state, printed } = listed;
  if (printed && !includesPrinted && baseStatus !== 'cancelled') return PRINTED;
  if (!isSafeName(name)) return 'the service sent an unsafe name';
  if (state !== 'ready' || checksum === null) return REASONS[state] ?? 'its checksum is not known yet';
  return REASONS[baseStatus] ?? { orderNumber, line, name, sizeBytes, checksum };
}

/** Fetches a file under another name, verifies it and gives it its name. @throws CommandFailure */
async function fetchFile(
  client: StudioClient,
  folder: ArtworkFolder,
  file: ArtworkFile,
  stop: AbortSignal,
): Promise<{ verified: Verified; sha256: string }> {
  await folder.assertFree(file.name);
  const temp = folder.newTemp();
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let receivedBytes = 0;
  async function* measured(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      receivedBytes += chunk.length;
      if (receivedBytes > file.sizeBytes) return;
      sha256.update(chunk);
      md5.update(chunk);
      yield chunk;
    }
  }
  const path = `/orders/${encodeURIComponent(file.orderNumber)}/lines/${file.line}/artwork`;
  let result: { verified: Verified; sha256: string };
  try {
    await client.download({ method: 'GET', path }, stop, (chunks) =>
      writeDurably(PLAIN_FILES, temp, measured(chunks)).catch(throwFolderFailure),
    );
    const measures = { sha256: sha256.digest('hex'), etag: md5.digest('hex'), sizeBytes: receivedBytes };
    result = { verified: verify(file, measures), sha256: measures.sha256 };
  } catch (error) {
    await nodeFs.rm(temp, { force: true }).catch(() => undefined);
    throw error;
  }
  await folder.place(file, temp, result);
  return result;
}

/** Print programs run as other users, so the files have the usual permissions. */
const PLAIN_FILES = { open: (file: PathLike, flags?: string | number) => nodeFs.open(file, flags), rename: nodeFs.rename };

/** @throws CommandFailure if the file is not the one that the order recorded */
function verify({ sizeBytes, checksum }: ArtworkFile, measures: { sizeBytes: number; sha256: string; etag: string }): Verified {
  if (measures.sizeBytes !== sizeBytes) throw new CommandFailure(`the service sent other than ${sizeBytes} bytes; run the command again`);
  if (checksum.startsWith('sha256:')) {
    if (checksum !== `sha256:${measures.sha256}`) throw new CommandFailure('its checksum differs; run the command again');
    return 'sha256';
  }
  // The ETag of an S3 store is the MD5 of a file unless the store encrypts it with a KMS or client key.
  return checksum === `etag:${measures.etag}` ? 'md5' : 'size';
}
