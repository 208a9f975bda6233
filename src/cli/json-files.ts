import { readFileSync } from 'node:fs';
import { errorMessage, usageError } from './errors';

/** @throws CommandFailure */
export function readJsonFile(file: string): object {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`cannot read ${file}: ${errorMessage(error)}`);
  }
  return parseJsonFile(file, text);
}

/** @throws CommandFailure */
export function parseJsonFile(file: string, text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw usageError(`${file} is not valid JSON: ${errorMessage(error)}`);
  }
}
