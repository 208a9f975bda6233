import { statfs } from 'node:fs/promises';
import { ApiError } from '../domain/errors';
import { byteSizeInWords } from '../domain/byte-size';
import { orNullIfMissing } from './durable-files';

const RETRY_AFTER_SECONDS = 60;

/** Room for one body, until it is written. */
export interface RoomForBody {
  /** Passes the body on. Bytes that were passed on are on the disk, which says so itself. */
  counted(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  release(): void;
}

/** The free space of the embedded store's disk, less what uploads must leave free. */
export class DiskRoom {
  /** Bytes of bodies under way that are not on the disk yet. */
  private awaitedBytes = 0;

  /** @param reserveBytes 0: uploads may fill the disk */
  constructor(
    private readonly dir: string,
    private readonly reserveBytes: number,
  ) {}

  /** @returns the bytes that uploads may still use; below 0 where they used too many */
  async leftBytes(): Promise<number> {
    if (this.reserveBytes === 0) return Number.POSITIVE_INFINITY;
    const disk = await orNullIfMissing(statfs(this.dir));
    return disk === null ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize - this.reserveBytes - this.awaitedBytes;
  }

  /** @throws ApiError STORAGE_FULL */
  async claim(sizeBytes: number): Promise<RoomForBody> {
    this.awaitedBytes += sizeBytes;
    let claimedBytes = sizeBytes;
    const take = (bytes: number): void => {
      const taken = Math.min(bytes, claimedBytes);
      claimedBytes -= taken;
      this.awaitedBytes -= taken;
    };
    const room: RoomForBody = {
      async *counted(body) {
        for await (const chunk of body) {
          yield chunk;
          take(chunk.length);
        }
      },
      release: () => take(claimedBytes),
    };
    try {
      if ((await this.leftBytes()) >= 0) return room;
    } catch (error) {
      room.release();
      throw error;
    }
    room.release();
    throw storageFull(sizeBytes);
  }
}

export function storageFull(sizeBytes: number): ApiError {
  const message = `The artwork store has no room for ${byteSizeInWords(sizeBytes)} just now. Try again later, or tell the studio.`;
  return new ApiError('STORAGE_FULL', message, undefined, RETRY_AFTER_SECONDS);
}
