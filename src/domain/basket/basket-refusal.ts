import { ApiError, type ErrorCode, type ValidationIssue } from '../errors';
import { LIMITS } from '../limits';

/** One issue of a basket. */
export interface BasketIssue {
  code: ErrorCode;
  /** Index of the item, from 0; null if the issue concerns no item. */
  line: number | null;
  path: string;
  message: string;
}

/** A refusal of a basket with several issues. `first` provides code and message; `details.others` lists the other issues. */
class BasketRefusal extends ApiError {
  constructor(
    readonly first: ApiError,
    readonly others: readonly BasketIssue[],
  ) {
    const { issues, omitted = 0 } = limitIssues(others);
    const totalOmitted = omitted + Number(first.details?.['omitted'] ?? 0);
    const more = `${others.length} more ${others.length === 1 ? 'issue' : 'issues'}`;
    super(first.code, `${first.message}; and ${more}`, {
      ...first.details,
      others: issues,
      ...(totalOmitted > 0 ? { omitted: totalOmitted } : {}),
    });
  }
}

const utf8 = new TextEncoder();

/** The first issues, limited by number and bytes. `omitted` counts the others. */
export function limitIssues(all: readonly BasketIssue[]): { issues: BasketIssue[]; omitted?: number } {
  let bytes = 0;
  const end = all.findIndex((issue, index) => {
    bytes += utf8.encode(JSON.stringify(issue)).length;
    return index >= LIMITS.issuesListed || bytes > LIMITS.issuesBytes;
  });
  return end === -1 ? { issues: [...all] } : { issues: all.slice(0, end), omitted: all.length - end };
}

/** The issues of a refusal. */
export function issuesOf(error: ApiError): BasketIssue[] {
  if (error instanceof BasketRefusal) return [...issuesOf(error.first), ...error.others];
  const { issues, path = '' } = (error.details ?? {}) as { issues?: ValidationIssue[]; path?: string };
  return (issues ?? [{ path, message: error.message }]).map((issue) => ({ code: error.code, line: lineFromPath(issue.path), ...issue }));
}

function lineFromPath(path: string): number | null {
  const index = /^items\.(\d+)(?:\.|$)/.exec(path)?.[1];
  return index === undefined ? null : Number(index);
}

/** Adds issues to a refusal. */
export function withOthers(error: ApiError, others: readonly BasketIssue[]): ApiError {
  if (others.length === 0) return error;
  return error instanceof BasketRefusal ? new BasketRefusal(error.first, [...error.others, ...others]) : new BasketRefusal(error, others);
}

/** Changes the first issue of a refusal. */
export function mapFirst(error: ApiError, change: (first: ApiError) => ApiError): ApiError {
  return error instanceof BasketRefusal ? new BasketRefusal(change(error.first), error.others) : change(error);
}

/**
 * Runs all checks and returns their results.
 * @throws ApiError if a check refuses: the first refusal with the issues of the others added
 */
export function checkAll<T extends readonly unknown[]>(...checks: { [K in keyof T]: () => T[K] }): T {
  const outcomes = checks.map((check) => tryCheck<unknown>(check));
  const [first, ...rest] = outcomes.flatMap(({ refusal }) => refusal ?? []);
  if (first !== undefined) throw withOthers(first, rest.flatMap(issuesOf));
  return outcomes.map(({ result }) => result) as unknown as T;
}

/** The result of a check, or its refusal. */
export function tryCheck<R>(check: () => R): { result: R; refusal?: undefined } | { result?: undefined; refusal: ApiError } {
  try {
    return { result: check() };
  } catch (error) {
    if (error instanceof ApiError) return { refusal: error };
    throw error;
  }
}
