import type { KnownValue, Schema } from '../api/studio';

export type Stage = keyof Schema<'StudioOrder'>['stageLines'];
/** A stage that the studio may use besides printing. */
export type OptionalStage = Exclude<Stage, 'printed'>;

/** In the order of production. */
export const STAGES = ['printed', 'framed', 'checked', 'ready'] as const satisfies readonly KnownValue<Stage>[];
export const OPTIONAL_STAGES = STAGES.filter((stage) => stage !== 'printed');

export const isStage = (type: string): type is Stage => STAGES.some((stage) => stage === type);

type StagedOrder = Pick<Schema<'StudioOrder'>, 'stageLines' | 'job'>;

/** The lines that a stage concerns, from 0. Only lines with a frame are framed. */
export const linesOfStage = ({ job }: Pick<StagedOrder, 'job'>, stage: Stage): number[] =>
  job.lines.flatMap(({ hasFrame }, line) => (stage !== 'framed' || hasFrame ? [line] : []));

/** The lines that have not reached the stage. */
export const openLines = (order: StagedOrder, stage: Stage): number[] =>
  linesOfStage(order, stage).filter((line) => !order.stageLines[stage].includes(line));

/** The index of the last complete stage; -1 before printing. */
export const reachedStage = ({ stage }: Pick<Schema<'StudioOrderRow'>, 'stage'>): number => STAGES.findIndex((each) => each === stage);

/** The first used stage after the last complete one; null if none is left. */
export function nextStage(order: StagedOrder & Pick<Schema<'StudioOrder'>, 'stage'>, used: readonly OptionalStage[]): OptionalStage | null {
  return used.find((stage) => STAGES.indexOf(stage) > reachedStage(order) && openLines(order, stage).length > 0) ?? null;
}
