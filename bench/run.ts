import { markdown, type Report } from './report';
import { openStage, type Stage } from './stage';
import { forgetStatements, statements } from './statements';
import type { Step } from './parts';

export interface Versions {
  temporal: Set<string>;
  postgres: Set<string>;
}

/** Steps one after the other, on stages opened and closed as they need them; knows at any time what has been measured. */
export class Run {
  readonly versions: Versions = { temporal: new Set(), postgres: new Set() };
  private readonly measured: { step: Step; report: Report; whole: boolean }[] = [];
  private ended = false;
  private stage: { stage: Stage; step: Step } | undefined;

  constructor(
    private readonly steps: readonly Step[],
    private readonly options: { quick: boolean; profileDir: string | undefined },
  ) {}

  async play(): Promise<void> {
    for (const step of this.steps) {
      const stage = await this.stageFor(step);
      console.log(`\n[bench] ${titleOf(step)} …`);
      const entry = { step, report: { rows: [], notes: [] } as Report, whole: false };
      this.measured.push(entry);
      const startedAt = Date.now();
      try {
        if (this.options.profileDir !== undefined) await forgetStatements(stage);
        await step.run(stage, this.options.quick, entry.report);
        if (this.options.profileDir !== undefined) console.log(`\n${await statements(stage)}`);
        entry.whole = true;
      } catch (error) {
        if (this.ended) return;
        // The other parts go on, on a stage that has seen nothing of this.
        console.error(error);
        await this.close();
      }
      console.log(
        `${markdown(labelled(step, entry.report))}\n\n[bench] ${titleOf(step)} took ${Math.round((Date.now() - startedAt) / 1000)} s`,
      );
    }
    await this.close();
  }

  /** Ends a run that is under way. */
  async end(): Promise<void> {
    this.ended = true;
    await this.close();
  }

  private async close(): Promise<void> {
    const open = this.stage;
    this.stage = undefined;
    await open?.stage.close();
  }

  report(): Report {
    const all = this.measured.map(({ step, report }) => labelled(step, report));
    return { rows: all.flatMap(({ rows }) => rows), notes: all.flatMap(({ notes }) => notes) };
  }

  /** What a stopped run owes. */
  missing(): string[] {
    const whole = new Set(this.measured.filter((entry) => entry.whole).map(({ step }) => step));
    return this.steps.filter((step) => !whole.has(step)).map(titleOf);
  }

  private async stageFor(step: Step): Promise<Stage> {
    if (this.stage !== undefined && this.stage.step.server === step.server && this.stage.step.env === step.env) return this.stage.stage;
    await this.close();
    console.log(`\n[bench] starting PostgreSQL, the ${step.server} Temporal server, the service and the floors …`);
    const stage = await openStage({
      server: step.server,
      profileDir: this.options.profileDir,
      ...(step.env === undefined ? {} : { env: step.env }),
    });
    this.stage = { stage, step };
    this.versions.temporal.add(`${stage.serverVersion} (${step.server})`);
    this.versions.postgres.add(stage.postgresVersion);
    return stage;
  }
}

const titleOf = ({ name, server }: Step): string => `${name} on the ${server} server`;

function labelled(step: Step, { rows, notes }: Report): Report {
  return { rows: rows.map((row) => ({ server: step.server, ...row })), notes: notes.map((note) => `${step.server}: ${note}`) };
}
