import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/start/project';

/** Compares a page of docs/ with its generated text. `npm run docs` writes the page first. */
export function expectGeneratedPage(name: string, text: string): void {
  const file = path.join(projectRoot, 'docs', name);
  if (process.env['WRITE_DOCS'] !== undefined) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
}
