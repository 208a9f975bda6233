import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';

const PAGE = readFileSync(path.join(projectRoot, 'docs', 'security.md'), 'utf8');
/** Each test file that the page names, with the title after it, if any. */
const NAMED = [...PAGE.matchAll(/`(test\/[\w./-]+\.test\.ts)`(?: "([^"]+)")?/g)].map(
  ([, file = '', title]): [string, string | undefined] => [file, title],
);
const plain = (text: string): string => text.replaceAll("\\'", "'");

describe('docs/security.md', () => {
  it('names a test for each promise', () => {
    const promises = PAGE.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise'));
    expect(promises.length).toBeGreaterThan(30);
    expect(promises.filter((line) => !/`test\/[\w./-]+\.test\.ts`/.test(line))).toEqual([]);
  });

  it.each(NAMED.filter(([file]) => file !== 'test/unit/docs/security.test.ts'))('%s has what it is named for: %s', (file, title) => {
    const whole = path.join(projectRoot, file);
    expect(existsSync(whole)).toBe(true);
    if (title !== undefined) expect(plain(readFileSync(whole, 'utf8'))).toContain(title);
  });
});
