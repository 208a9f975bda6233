import { LINES_FIELD } from './fields';
import { milestoneKind, refusal } from './kind';
import { missingLineRefusal, type LineDetails } from './stage-reported';

/** Adds its lines to the printed ones; without `lines` all. */
export const printed = milestoneKind<'printed', LineDetails>('printed', {
  fields: { lines: LINES_FIELD },
  decide(facts, { lines }) {
    if (facts.baseStatus === 'cancelled') return refusal('the order is cancelled');
    const refused = missingLineRefusal(facts, lines);
    if (refused !== null) return refused;
    const all = [...Array(facts.lineCount).keys()];
    const printedLines = lines ? all.filter((line) => facts.printedLines.includes(line) || lines.includes(line)) : all;
    return { facts: { ...facts, printed: printedLines.length === facts.lineCount, printedLines } };
  },
});
