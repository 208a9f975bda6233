/** Writing files so that they survive a power cut, and the small judgements that go with it. */
import type * as nodeFs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** The calls that writing depends on; tests replace them to see their order and to make them fail. */
export type FileOperations = Pick<typeof nodeFs, 'open' | 'rename'>;

/** The body ended with fewer or more bytes than were declared. */
export class SizeMismatchError extends Error {
  override readonly name = 'SizeMismatchError';
}

/** Creates a new file from the chunks, one at a time (memory stays flat), and resolves once it is on the disk. */
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

/** A rename is durable only once its folder is. */
export async function syncFolder(operations: FileOperations, folder: string): Promise<void> {
  const handle = await operations.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** One write call may take only part of the chunk. */
async function writeFully(handle: FileHandle, chunk: Buffer): Promise<void> {
  let offset = 0;
  while (offset < chunk.length) offset += (await handle.write(chunk, offset, chunk.length - offset)).bytesWritten;
}

/** Passes exactly `sizeBytes` bytes on; throws SizeMismatchError as soon as there is one more, or at the end one less. */
export async function* withExactSize(sizeBytes: number, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let receivedBytes = 0;
  for await (const chunk of body) {
    receivedBytes += chunk.length;
    if (receivedBytes > sizeBytes) break;
    yield chunk;
  }
  if (receivedBytes !== sizeBytes) throw new SizeMismatchError(`expected ${sizeBytes} bytes, met ${receivedBytes}`);
}

/** Null where there is no such file; every other failure is thrown. */
export async function nullIfMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** `ENOSPC` and its kind, or undefined. Asks for the property alone: such errors may come from another realm. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
