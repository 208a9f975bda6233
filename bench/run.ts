import { measure } from './figure';
import { EXTRAS, FIGURES } from './parts';
import { notesOf, type Report } from './report';
import { openStage, type Stage } from './stage';
import { resetStatements, statements } from './statements';

interface Options {
  isSmoke: boolean;
  profileDir: string | undefined;
}

/** Runs parts one after the other on one stage, and knows at any time which are finished. */
export class Run {
  readonly report: Report = { rows: [], notes: [] };
  /** Parts that failed or did not run. */
  readonly missing: string[];
  versions = '';
  private opening: Promise<Stage> | undefined;
  private isStopped = false;
  private resolveStopped: () => void = () => undefined;
  private readonly stopped = new Promise<void>((resolve) => (this.resolveStopped = resolve));

  constructor(
    private readonly parts: readonly string[],
    private readonly options: Options,
  ) {
    this.missing = [...parts];
  }

  /** Returns when the last part has ended, or the run is stopped. */
  async play(): Promise<void> {
    console.log('[bench] starting PostgreSQL, Temporal, the service and the floors …');
    this.opening = openStage(this.options, () => this.stop());
    const stage = await Promise.race([this.opening, this.stopped]);
    if (stage === undefined) return;
    this.versions = stage.versions;
    for (const name of this.parts) if (!this.isStopped) await Promise.race([this.runPart(stage, name), this.stopped]);
  }

  stop(): void {
    this.isStopped = true;
    this.resolveStopped();
  }

  async close(): Promise<void> {
    await (await this.opening?.catch(() => undefined))?.close();
  }

  /** A part that fails leaves the other parts to run. */
  private async runPart(stage: Stage, name: string): Promise<void> {
    console.log(`[bench] ${name} …`);
    const startedAt = Date.now();
    try {
      if (this.options.profileDir !== undefined) await resetStatements(stage);
      await this.measurePart(stage, name);
      if (this.options.profileDir !== undefined) console.log(`\n${await statements(stage)}\n`);
      this.missing.splice(this.missing.indexOf(name), 1);
      console.log(`[bench] ${name} took ${Math.round((Date.now() - startedAt) / 1000)} s`);
    } catch (error) {
      if (!this.isStopped) console.error(`[bench] ${name} failed:`, error);
    }
  }

  private async measurePart(stage: Stage, name: string): Promise<void> {
    const { isSmoke } = this.options;
    const figure = FIGURES[name];
    if (figure !== undefined) {
      const row = { name, figure, measured: await measure(figure, stage, isSmoke) };
      this.report.rows.push(row);
      this.report.notes.push(...notesOf(row));
    }
    const lines = (await EXTRAS[name]?.(stage, isSmoke)) ?? [];
    this.report.notes.push(...lines.map((line) => `\`${name}\` ${line}`));
  }
}
