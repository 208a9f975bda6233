import type { RecordedMilestone } from './correction';
import { formatLine } from './line-quantities';

/** The stages of production after its start, in order. */
export const STAGES = ['printed', 'framed', 'checked', 'ready'] as const;
export type Stage = (typeof STAGES)[number];

/** The stages that a studio may use besides printing. */
export const OPTIONAL_STAGES = ['framed', 'checked', 'ready'] as const satisfies readonly Stage[];
export type OptionalStage = (typeof OPTIONAL_STAGES)[number];

/** Which stages the studio uses besides printing. Its screens offer only these. */
export type UsedStages = Record<`${OptionalStage}Enabled`, boolean>;
export const NO_STAGES: UsedStages = { framedEnabled: false, checkedEnabled: false, readyEnabled: false };

export const isStage = (type: string): type is Stage => STAGES.some((stage) => stage === type);

/** The last stage that the studio uses. */
export const lastUsedStage = (used: UsedStages): Stage => OPTIONAL_STAGES.findLast((stage) => used[`${stage}Enabled`]) ?? 'printed';

/** The lines that have reached each stage, from 0. */
export type StageLines = Record<Stage, number[]>;

export interface StageProgress {
  /** The last stage that every line has reached; null before printing. */
  stage: Stage | null;
  lines: StageLines;
}

/** Canvases and prints with a moulding. Only these lines can be framed. */
export const hasFrame = ({ selections }: { selections: Readonly<Record<string, string>> }): boolean =>
  Object.hasOwn(selections, 'mouldingId');

/** The lines that a stage concerns. */
export const linesOfStage = (stage: Stage, framed: readonly boolean[]): number[] =>
  [...framed.keys()].filter((line) => stage !== 'framed' || framed[line]);

/**
 * Calculates the progress of an order from its timeline. A milestone without `lines` is about every line.
 * @param framed for each line whether it has a frame
 * @param uncorrected the unreversed milestones of the order
 */
export function stageProgress(
  framed: readonly boolean[],
  uncorrected: readonly Pick<RecordedMilestone, 'type' | 'lines'>[],
): StageProgress {
  const lines = Object.fromEntries(
    STAGES.map((stage) => {
      const reports = uncorrected.filter(({ type }) => type === stage);
      return [stage, linesOfStage(stage, framed).filter((line) => reports.some((report) => report.lines?.includes(line) ?? true))];
    }),
  ) as StageLines;
  const isDone = (stage: Stage): boolean => {
    const concerned = linesOfStage(stage, framed).length;
    return concerned > 0 && lines[stage].length === concerned;
  };
  return { stage: STAGES.findLast(isDone) ?? null, lines };
}

/** Returns the reason why lines cannot be framed; null if they can. Without `lines` one framed line is enough. */
export function framingIssue(framed: readonly boolean[], lines: readonly number[] | null | undefined): string | null {
  const unframed = lines?.find((line) => framed[line] === false);
  if (unframed !== undefined) return `${formatLine(unframed)} has no frame`;
  return framed.some(Boolean) ? null : 'no line of this order has a frame';
}
