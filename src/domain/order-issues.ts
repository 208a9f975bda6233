import { formatLine, describeMissingLine } from './line-quantities';

/** Codes of the issues for which an order waits for its client (ruling 69). */
export const ISSUE_CODES = ['ON_HOLD', 'ARTWORK_MISSING', 'ARTWORK_UNREADABLE', 'ARTWORK_LOW_RESOLUTION', 'ARTWORK_REJECTED'] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/** Issues of which the account's contacts for production get a mail (ruling 94). */
export const MAILED_ISSUE_CODES: readonly IssueCode[] = ['ARTWORK_MISSING', 'ARTWORK_REJECTED'];

/** An issue as the database stores it. */
export interface StoredIssue {
  code: IssueCode;
  /** From 0; null means the whole order. */
  line: number | null;
  /** Null if the code needs no explanation or the studio gave no reason. */
  message: string | null;
}

export interface OrderIssue extends StoredIssue {
  message: string;
}

/** Identifies an open issue of an order. Its message may change. */
export const issueKey = ({ code, line }: StoredIssue): string => (line === null ? code : `${code}/${line}`);

/** The client's view of an issue: the problem and a solution. */
export function toOrderIssue({ code, line, message }: StoredIssue): OrderIssue {
  return { code, line, message: message ?? (line === null ? NO_REASON : missingArtworkMessage(line)) };
}

const NO_REASON = 'the order is on hold without a reason; contact the studio';
const missingArtworkMessage = (line: number): string =>
  `${formatLine(line)}: its artwork has not arrived; send the file to its upload URL, renew that URL with POST /uploads/{id}/renew, or send other artwork`;

/** Returns the reason why a line has no artwork to reject or replace, or null. `urls` are by line; null means that the line needs none. */
export function artworkLineIssue(line: number, urls: readonly (string | null)[]): string | null {
  const url = urls[line];
  if (url === undefined) return describeMissingLine(line, urls.length);
  return url === null ? `${formatLine(line)} has no artwork` : null;
}
