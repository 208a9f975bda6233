import type { Readable } from 'node:stream';
import type { InspectionResult } from '../domain/inspection';
import type { Logger } from '../platform/logger';
import { decode, type DecodeOptions, type Previews } from './decoder-process';
import { Workspace } from './workspace';

type InspectorOptions = Pick<DecodeOptions, 'program' | 'user' | 'isHeicEnabled'>;

/** Opens pictures in another process, because a picture may crash or exploit the decoder. */
export class Inspector {
  private constructor(
    private readonly workspace: Workspace,
    private readonly logger: Logger,
    private readonly options: InspectorOptions,
  ) {}

  /** @param dir the folder for files during their inspection */
  static async open(dir: string, logger: Logger, options: InspectorOptions = {}): Promise<Inspector> {
    return new Inspector(await Workspace.open(dir, options.user), logger, options);
  }

  /**
   * Does not reject because of the file's content.
   * @param recordCpuTime called after each attempt of the decoder, also after a failed or stopped one
   * @throws Error if the inspection was not possible or was stopped
   */
  inspect(
    bytes: Readable,
    stop: AbortSignal,
    recordCpuTime?: (cpuSeconds: number) => Promise<void>,
  ): Promise<{ found: InspectionResult; previews: Previews | null; cpuSeconds: number }> {
    return this.workspace.withFiles(bytes, stop, async (files) => {
      const { found, previews, peaks, details, cpuSeconds } = await decode(files, stop, {
        ...this.options,
        ...(recordCpuTime && { recordCpuTime }),
      });
      this.logger.info({ state: found.state, mediaType: found.mediaType, peaks, details, cpuSeconds }, 'picture inspected');
      return { found, previews, cpuSeconds };
    });
  }

  close(): Promise<void> {
    return this.workspace.close();
  }
}
