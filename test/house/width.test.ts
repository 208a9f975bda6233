import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../dev/project';
import { sourceFiles } from './imports';

/** The formatter lays out code and leaves comments as they are (`.editorconfig`, `max_line_length`). */
const WIDTH = 140;

/** Lines that are nothing but comment; a link may be longer than a line. */
function tooWide(source: string): string[] {
  return source.split('\n').filter((line) => /^\s*(\/\/|\/\*|\*)/.test(line) && line.length > WIDTH && !/https?:\/\//.test(line));
}

it('a comment is as wide as code may be', () => {
  const wide = sourceFiles()
    .filter((file) => !file.startsWith('migrations/') && !file.includes('/generated/'))
    .flatMap((file) => tooWide(readFileSync(path.join(projectRoot, file), 'utf8')).map((line) => `${file}: ${line.trim()}`));
  expect(wide).toEqual([]);
});

it('a wider one is found', () => {
  expect(tooWide(`// ${'word '.repeat(30)}\nconst a = 1;\n * ${'x'.repeat(140)}`)).toHaveLength(2);
});
