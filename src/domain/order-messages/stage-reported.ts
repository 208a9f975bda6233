import { describeMissingLine } from '../line-quantities';
import type { OrderFacts } from '../order-status';
import { LINES_FIELD } from './fields';
import { milestoneKind, refusal, type MilestoneKind, type Milestone } from './kind';
import { RELEASE_FIRST } from './status-step';

export interface LineDetails {
  /** The lines that it is about, from 0. Without it the milestone is about all lines. */
  lines?: number[] | null;
}

export function missingLineRefusal({ lineCount }: OrderFacts, lines: LineDetails['lines']): { refused: string } | null {
  const missing = lines?.find((line) => line >= lineCount);
  return missing === undefined ? null : refusal(describeMissingLine(missing, lineCount));
}

/** A stage after printing. The database stores the progress, so the facts stay the same and clients get no event. */
const stageReported = <Type extends string>(type: Type): MilestoneKind<Milestone<Type> & LineDetails> =>
  milestoneKind<Type, LineDetails>(type, {
    fields: { lines: LINES_FIELD },
    alwaysChanges: true,
    decide(facts, { lines }) {
      switch (facts.baseStatus) {
        case 'in_production':
          return missingLineRefusal(facts, lines) ?? { facts };
        case 'received':
          return refusal('the order has not started production; send production_started first');
        case 'on_hold':
          return RELEASE_FIRST;
        default:
          return refusal(`the order is ${facts.baseStatus}`);
      }
    },
  });

export const framed = stageReported('framed');
export const checked = stageReported('checked');
export const ready = stageReported('ready');
