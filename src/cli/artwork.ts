import { createHash } from 'node:crypto';
import type { PathLike } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import type { Command } from 'commander';
import { readNumber } from '../domain/order-number';
import { systemCode, writeDurably } from '../storage/durable-files';
import { type ArtworkFile, ArtworkFolder, isSafeName, type Verified } from './artwork-folder';
import { API_COMMANDS } from './commands';
import { CommandFailure, errorMessage, EXIT } from './errors';
import { resolveLogin } from './login';
import { addExamples, addFieldOptions, findOrAddGroup } from './program';
import { toQuery } from './run-command';
import { safeJson, safeText } from './safe-text';
import { StudioClient } from './studio-client';
import { valueAt } from './tables';
import type { Terminal } from './terminal';

interface ArtworkFlags {
  out: string;
  again?: boolean;
  json?: boolean;
  studio?: string;
}

/** The folder cannot be written, for example because the disk is full. */
class FolderFailure extends CommandFailure {}

/** A file of `GET /orders/artwork`. */
type ListedFile = Omit<ArtworkFile, 'checksum'> & { state: string; printed: boolean; checksum: string | null };

/** A file that cannot be fetched now, and why. */
type SkippedFile = Pick<ArtworkFile, 'name' | 'orderNumber' | 'line'> & { reason: string };

/** `trade-print orders artwork`: fetches the artwork of orders into a folder that a print program watches. */
export function addArtwork(program: Command, terminal: Terminal): void {
  const artwork = findOrAddGroup(program, 'orders')
    .command('artwork')
    .description(
      'fetch the artwork of orders into a folder, verified, each file once; run it again to continue or to get new files\n\nThe default is `--status in_production`. Printed orders are left out.',
    );
  const fields = addFieldOptions(artwork, API_COMMANDS.find(({ name }) => name === 'orders list')?.options ?? []);
  artwork
    .requiredOption('--out <folder>', 'the folder; its manifest .trade-print/manifest.jsonl lists what was fetched')
    .option('--again', 'fetch files that were fetched before, and those of printed lines')
    .option('--json', 'print a line of JSON for each file')
    .option('--studio <url>', 'URL of the studio API (default: STUDIO_URL, else the URL of the login)');
  addExamples(artwork, [
    'orders artwork --status in_production --out /srv/hotfolder',
    'orders artwork --q P-10041 --out /srv/hotfolder --again',
  ]);
  artwork.action(async () => {
    const flags = artwork.opts<ArtworkFlags>();
    // A search can also find cancelled orders. A complete number names one order.
    const q = fields.get('q');
    const isOneOrder = typeof q === 'string' && readNumber('order', q, null) !== null;
    if (!fields.has('status') && !isOneOrder) fields.set('status', 'in_production');
    const client = new StudioClient(resolveLogin(terminal.env, flags.studio));
    await fetchArtwork(client, toQuery(fields), flags, terminal);
  });
}

async function fetchArtwork(
  client: StudioClient,
  query: Readonly<Record<string, string>>,
  flags: ArtworkFlags,
  terminal: Terminal,
): Promise<void> {
  const stop = terminal.stopSignal();
  const isStopped = (): boolean => stop.aborted;
  const folder = await ArtworkFolder.open(flags.out);
  let [fetched, present, failures] = [0, 0, 0];
  const report = (text: string): void => terminal.err(`${safeText(text)}\n`);
  try {
    const { rows: orders } = await client.list({ method: 'GET', path: '/orders/artwork', query }, Number.POSITIVE_INFINITY);
    const { files, skipped } = sortFiles(orders, flags.again === true);
    for (const { name, reason, ...line } of skipped) {
      const removed = await folder.withdraw(line).catch(throwWriteFailure);
      report(`${name}: ${reason}${removed === null ? '' : `; removed ${removed} from the folder`}`);
    }
    for (const file of files) {
      if (isStopped()) throw interrupted();
      if (flags.again !== true && folder.hasPlaced(file)) {
        present += 1;
        continue;
      }
      try {
        const { verified, sha256 } = await fetchFile(client, folder, file, stop);
        fetched += 1;
        terminal.out(`${flags.json === true ? safeJson({ ...file, verified, sha256 }) : file.name}\n`);
      } catch (error) {
        if (isStopped()) throw interrupted();
        // Neither a service that is away nor a full disk gets better with the next file.
        if (!(error instanceof CommandFailure) || error instanceof FolderFailure || error.exitCode === EXIT.unreachable) throw error;
        failures += 1;
        report(`${file.name}: ${error.message}`);
      }
    }
    report(`${fetched} fetched, ${present} fetched before, ${skipped.length} not ready, ${failures} failed`);
  } finally {
    await folder.close();
  }
  if (failures > 0) throw new CommandFailure('');
}

const interrupted = (): CommandFailure => new CommandFailure('interrupted; run the command again to continue', EXIT.unreachable);

const REASONS: Readonly<Record<string, string>> = {
  missing: 'not uploaded yet',
  rejected: 'rejected; waits for other artwork',
  unreadable: 'unreadable; waits for other artwork',
};

/** The files to fetch, and those that are not ready. */
function sortFiles(orders: readonly unknown[], includesPrinted: boolean): { files: ArtworkFile[]; skipped: SkippedFile[] } {
  const files: ArtworkFile[] = [];
  const skipped: SkippedFile[] = [];
  for (const order of orders) {
    for (const listed of valueAt(order, 'files') as ListedFile[]) {
      const { line, name, sizeBytes, checksum, state, printed } = listed;
      const orderNumber = String(valueAt(order, 'orderNumber'));
      const skip = (reason: string): void => void skipped.push({ orderNumber, line, name, reason });
      if (printed && !includesPrinted) continue;
      if (!isSafeName(name)) skip('the service sent an unsafe name');
      else if (state !== 'ready' || checksum === null) skip(REASONS[state] ?? 'its checksum is not known yet');
      else files.push({ orderNumber, line, name, sizeBytes, checksum });
    }
  }
  return { files, skipped };
}

/** Fetches a file under another name, verifies it and gives it its name. @throws CommandFailure */
async function fetchFile(
  client: StudioClient,
  folder: ArtworkFolder,
  file: ArtworkFile,
  stop: AbortSignal,
): Promise<{ verified: Verified; sha256: string }> {
  await folder.assertFree(file);
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
  try {
    await client.download({ method: 'GET', path }, stop, (chunks) =>
      writeDurably(PLAIN_FILES, temp, measured(chunks)).catch(throwWriteFailure),
    );
    const measures = { sha256: sha256.digest('hex'), etag: md5.digest('hex'), sizeBytes: receivedBytes };
    const result = { verified: verify(file, measures), sha256: measures.sha256 };
    await folder.place(file, temp, result).catch(throwWriteFailure);
    return result;
  } catch (error) {
    // After a failure to write, the manifest may name the file. The next run decides about it.
    if (!(error instanceof FolderFailure)) await nodeFs.rm(temp, { force: true });
    throw error;
  }
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

/** Errors of the file system become a `FolderFailure`. */
function throwWriteFailure(error: unknown): never {
  const code = systemCode(error);
  if (error instanceof CommandFailure || code === undefined) throw error;
  const cause = code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : safeText(errorMessage(error));
  throw new FolderFailure(`cannot write to the folder: ${cause}. The files so far are complete; run the command again to continue.`);
}
