import { TradePrintError } from './errors.js';
import type { BasketIssue } from './types.js';

/** What `details` may say of issues. */
interface IssueDetails {
  issues?: { path: string; message: string }[];
  others?: BasketIssue[];
  line?: number;
  path?: string;
}

/** All issues of a refusal, those in `details.others` included, in the order of the service; empty for any other error. */
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
