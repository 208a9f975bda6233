/** Lines that services of this test process logged as errors since the test file began. The runner shows them when the file fails. */
export const serviceErrors: string[] = [];

/** Describe what a failed test left, such as the pages of the browser. The runner calls them at each failure, and shows their texts. */
export const failureNotes: (() => Promise<string[]>)[] = [];

const ERROR_LEVEL = 50;

/** Keeps a line of structured log if it reports an error. */
export function recordIfError(line: string): void {
  if (JSON.parse(line).level >= ERROR_LEVEL) serviceErrors.push(line);
}
