import { formatLine } from '../line-quantities';
import { effectiveStatus, STATUSES_TO_BE_SHIPPED, type OrderFacts } from '../order-status';
import { ID_PREFIXES, LINE_FIELD, singleLineText } from './fields';
import { refusal, type MessageKind, type RecordNotes } from './kind';

/** The client's upload that replaces another on one line, counted from 0. */
export interface ArtworkReplaced extends RecordNotes {
  type: 'artwork_replaced';
  replacementId: string;
  line: number;
  uploadId: string;
}

export function artworkRefusal(facts: OrderFacts, line: number, outcome: 'rejected' | 'replaced' | 'fitted'): { refused: string } | null {
  const status = effectiveStatus(facts);
  if (!STATUSES_TO_BE_SHIPPED.includes(status)) return refusal(`the order is ${status}`);
  if (!facts.printed && !facts.printedLines.includes(line)) return null;
  return refusal(`${facts.printed ? 'the order' : formatLine(line)} is printed; artwork can be ${outcome} only before printing`);
}

/** The line by which the whole order is judged. */
export function firstUnprintedLine({ printedLines }: OrderFacts): number {
  let line = 0;
  while (printedLines.includes(line)) line += 1;
  return line;
}

/** The database stores artwork, so the facts stay the same. */
export const artworkReplaced: MessageKind<ArtworkReplaced> = {
  fields: { replacementId: singleLineText(100), line: LINE_FIELD, uploadId: singleLineText(100) },
  key: ({ replacementId }) => ID_PREFIXES.artwork + replacementId,
  describe: ({ line, uploadId }) => `artwork of line ${line} replaced by ${uploadId}`,
  limit: 'replacements of artwork',
  isFromClient: true,
  refusalCode: 'ORDER_NOT_CHANGEABLE',
  decide: (facts, { line }) => artworkRefusal(facts, line, 'replaced') ?? { facts },
};
