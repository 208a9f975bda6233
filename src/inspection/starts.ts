import { claimInspections } from '../db/repositories/inspections';
import { forgetProcess, seeProcess } from '../db/repositories/relay';
import type { Dependencies } from '../dependencies';
import { Looks } from '../relay/looks';
import { newId } from '../security/ids';

const LOOK_MS = 500;
const SEEN_EVERY_MS = 5_000;
/** Begun at a time; one is worked on at a time, and the rest waits in Temporal. */
const BATCH = 20;

type StartsDeps = Pick<Dependencies, 'database' | 'logger' | 'storage' | 'temporal'>;

/**
 * Finds uploads whose bytes are to be looked at by their rows, and starts a workflow for each. The rows are written with what makes a look
 * due, so none is lost with a process (ruling 60).
 */
export class InspectionStarts {
  private readonly id = newId('req');
  private readonly looks: Looks;
  private seen: NodeJS.Timeout | null = null;

  constructor(private readonly deps: StartsDeps) {
    this.looks = new Looks(
      () => this.startDue(),
      () => LOOK_MS,
      (error) => deps.logger.warn({ err: error }, 'artwork to look at could not be looked for'),
    );
  }

  start(): void {
    this.looks.start();
    this.saySeen();
    this.seen = setInterval(() => this.saySeen(), SEEN_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.seen !== null) clearInterval(this.seen);
    await this.looks.stop();
    await forgetProcess(this.deps.database, this.id).catch(() => undefined);
  }

  /** True where there may be more. One that could not be started is claimed again after a while. */
  private async startDue(): Promise<boolean> {
    const { database, storage, temporal } = this.deps;
    if (temporal.breaker.isOpen || !(await storage.isAtHand())) return false;
    const due = await claimInspections(database, BATCH);
    for (const uploadId of due) await temporal.artwork.inspect(uploadId);
    return due.length === BATCH;
  }

  private saySeen(): void {
    seeProcess(this.deps.database, this.id, 'inspector').catch((error: unknown) =>
      this.deps.logger.warn({ err: error }, 'that the inspector is at work was not said'),
    );
  }
}
