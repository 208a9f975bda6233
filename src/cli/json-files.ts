import { readFileSync } from 'node:fs';
import { errorMessage, wrongUse } from './problems';

/** @throws CommandProblem */
export function readJsonFile(file: string): object {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongUse(`${file} cannot be read: ${errorMessage(error)}`);
  }
  return parsedJson(file, text);
}

/** @throws CommandProblem */
export function parsedJson(file: string, text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw wrongUse(`${file} is no JSON: ${errorMessage(error)}`);
  }
}
