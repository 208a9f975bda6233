import { TradePrintError } from './errors.js';
import type { BasketIssue } from './types.js';

/** The properties of `details` that describe issues. */
interface IssueDetails {
  issues?: { path: string; message: string }[];
  others?: BasketIssue[];
  line?: number;
  path?: string;
}

/**
 * Lists all issues of an error response in the order of the service, including those in `details.others`. Returns an empty list for any
 * other error.
 */
export function issuesOf(error: unknown): BasketIssue[] {
  if (!(error instanceof TradePrintError)) return [];
  const { issues, others = [], line = null, path } = (error.details ?? {}) as IssueDetails;
  const { code, message } = error;
  const own = issues ?? (path === undefined ? [] : [{ path, message }]);
  return [...own.map((issue) => ({ code, line: line ?? lineInPath(issue.path), ...issue })), ...others];
}

function lineInPath(path: string): number | null {
  const index = /(?:^|\.)items\.(\d+)(?:\.|$)/.exec(path)?.[1];
  return index === undefined ? null : Number(index);
}
