import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { InspectionResult } from '../domain/inspection';
import type { Logger } from '../logger';
import type { ChildUser } from '../child-user';
import { decode } from './decoder-process';
import { Workspace } from './workspace';

interface InspectorOptions {
  /** Default: the decoder of this build. */
  program?: string;
  /** The user of the program; null: this process's own. */
  user?: ChildUser | null;
}

/** Opens pictures outside this process, so that none of them can harm it. */
export class Inspector {
  private constructor(
    private readonly workspace: Workspace,
    private readonly logger: Logger,
    private readonly options: InspectorOptions,
  ) {}

  /** @param dir where bytes lie while they are looked at */
  static async open(dir: string, logger: Logger, options: InspectorOptions = {}): Promise<Inspector> {
    return new Inspector(await Workspace.open(dir, options.user), logger, options);
  }

  /** Never fails for what the bytes are. @throws Error where it could not be done, or was told to stop */
  inspect(bytes: Readable, stop: AbortSignal): Promise<{ found: InspectionResult; preview: Buffer | null; cpuSeconds: number }> {
    return this.workspace.withFiles(bytes, stop, async (file, previewFile) => {
      const { found, hasPreview, peaks, cpuSeconds } = await decode({ file, preview: previewFile }, stop, this.options);
      this.logger.info({ state: found.state, mediaType: found.mediaType, peaks, cpuSeconds }, 'picture looked at');
      return { found, preview: hasPreview ? await readFile(previewFile) : null, cpuSeconds };
    });
  }

  close(): Promise<void> {
    return this.workspace.close();
  }
}
