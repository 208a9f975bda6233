import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Inspected } from '../domain/inspection';
import type { Logger } from '../logger';
import { decode, DECODER } from './decoding';
import { Workspace } from './workspace';

/** Opens pictures outside this process, so that none of them can harm it. */
export class Inspector {
  private constructor(
    private readonly workspace: Workspace,
    private readonly logger: Logger,
    private readonly program: string,
  ) {}

  /** @param dir where bytes lie while they are looked at */
  static async open(dir: string, logger: Logger, program = DECODER): Promise<Inspector> {
    return new Inspector(await Workspace.open(dir), logger, program);
  }

  /** Never fails for what the bytes are. @throws Error where it could not be done, or was told to stop */
  inspect(bytes: Readable, stop: AbortSignal): Promise<{ found: Inspected; preview: Buffer | null; cpuSeconds: number }> {
    return this.workspace.with(bytes, stop, async (file, beside) => {
      const { found, hasPreview, peaks, cpuSeconds } = await decode({ file, preview: beside }, stop, { program: this.program });
      this.logger.info({ state: found.state, mediaType: found.mediaType, peaks, cpuSeconds }, 'picture looked at');
      return { found, preview: hasPreview ? await readFile(beside) : null, cpuSeconds };
    });
  }

  close(): Promise<void> {
    return this.workspace.close();
  }
}
