/** Writes files that survive a power failure. */
import type * as nodeFs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** File system calls; tests replace them to check their sequence and to make them fail. */
export type FileOperations = Pick<typeof nodeFs, 'open' | 'rename'>;

/** The body had fewer or more bytes than declared. */
export class SizeMismatchError extends Error {
  override readonly name = 'SizeMismatchError';
}

/** Creates a file from the chunks, one at a time to limit memory. Resolves when it is on disk. */
export async function writeDurably(
  operations: FileOperations,
  file: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  const handle = await operations.open(file, 'wx', 0o600);
  try {
    for await (const chunk of chunks) await writeFully(handle, chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename is durable only after its folder was synced. */
export async function syncFolder(operations: FileOperations, folder: string): Promise<void> {
  const handle = await operations.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A single write may store only part of the chunk. */
async function writeFully(handle: FileHandle, chunk: Buffer): Promise<void> {
  let offset = 0;
  while (offset < chunk.length) offset += (await handle.write(chunk, offset, chunk.length - offset)).bytesWritten;
}

/** Passes on exactly `sizeBytes` bytes. @throws SizeMismatchError at the first surplus byte, or at the end if bytes are missing */
export async function* withExactSize(sizeBytes: number, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let receivedBytes = 0;
  for await (const chunk of body) {
    receivedBytes += chunk.length;
    if (receivedBytes > sizeBytes) break;
    yield chunk;
  }
  if (receivedBytes !== sizeBytes) throw new SizeMismatchError(`expected ${sizeBytes} bytes, received ${receivedBytes}`);
}

/** Null if the file does not exist; rethrows other errors. */
export async function nullIfMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** An error's code, such as `ENOSPC`, or undefined. Does not use instanceof, because errors may come from another realm. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
