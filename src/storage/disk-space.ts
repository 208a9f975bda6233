import { statfs } from 'node:fs/promises';
import { ApiError } from '../domain/errors';
import { formatByteSize } from '../domain/byte-size';
import { nullIfMissing } from './durable-files';

const RETRY_AFTER_SECONDS = 60;

/** The disk space that one upload has claimed and not yet written. */
export interface SpaceClaim {
  /** Passes the body on and reduces the claim by the written bytes. */
  trackWrites(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  release(): void;
}

/** The disk space that uploads to the embedded store may use: the free space minus the reserve and the claimed bytes. */
export class DiskSpace {
  /** The bytes that all uploads have claimed and not yet written. */
  private claimedBytes = 0;

  /** @param reserveBytes 0: uploads may fill the disk */
  constructor(
    private readonly dir: string,
    private readonly reserveBytes: number,
  ) {}

  /** @returns the bytes that uploads may still use; negative if the reserve is in use */
  async availableBytes(): Promise<number> {
    if (this.reserveBytes === 0) return Number.POSITIVE_INFINITY;
    const disk = await nullIfMissing(statfs(this.dir));
    return disk === null ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize - this.reserveBytes - this.claimedBytes;
  }

  /** @throws ApiError STORAGE_FULL */
  async claim(sizeBytes: number): Promise<SpaceClaim> {
    this.claimedBytes += sizeBytes;
    let unusedBytes = sizeBytes;
    const reduce = (bytes: number): void => {
      const used = Math.min(bytes, unusedBytes);
      unusedBytes -= used;
      this.claimedBytes -= used;
    };
    const claim: SpaceClaim = {
      async *trackWrites(body) {
        for await (const chunk of body) {
          yield chunk;
          reduce(chunk.length);
        }
      },
      release: () => reduce(unusedBytes),
    };
    try {
      if ((await this.availableBytes()) >= 0) return claim;
    } catch (error) {
      claim.release();
      throw error;
    }
    claim.release();
    throw storageFull(sizeBytes);
  }
}

export function storageFull(sizeBytes: number): ApiError {
  const message = `The artwork store has no space for ${formatByteSize(sizeBytes)} now. Try again later, or contact the studio.`;
  return new ApiError('STORAGE_FULL', message, undefined, RETRY_AFTER_SECONDS);
}
