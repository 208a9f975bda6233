import { readFileSync } from 'node:fs';
import { decodeText } from '../platform/text-encoding';
import { errorMessage, usageError } from './errors';

/** @throws CommandFailure */
export const readJsonFile = (file: string): object => parseJsonFile(file, () => decodeText(readFileSync(file)));

/** @throws CommandFailure */
export function parseJsonFile(file: string, read: () => string): object {
  try {
    return JSON.parse(read()) as object;
  } catch (error) {
    const problem = error instanceof SyntaxError ? `${file} is not valid JSON` : `cannot read ${file}`;
    throw usageError(`${problem}: ${errorMessage(error)}`);
  }
}
