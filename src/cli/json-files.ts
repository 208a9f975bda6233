import { readFileSync } from 'node:fs';
import { errorMessage, usageError } from './errors';

/** @throws CommandProblem */
export function readJsonFile(file: string): object {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`${file} cannot be read: ${errorMessage(error)}`);
  }
  return parseJsonFile(file, text);
}

/** @throws CommandProblem */
export function parseJsonFile(file: string, text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw usageError(`${file} is no JSON: ${errorMessage(error)}`);
  }
}
