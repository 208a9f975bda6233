import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { SETTINGS } from '../../../src/config/settings';
import { readPage } from './markdown';

const readDoc = (name: string): string => readFileSync(path.join(projectRoot, 'docs', name), 'utf8');
const PAGE = readDoc('security.md');
const ASVS = readDoc('asvs.md');

/** Each test file that a page names, with the title after it, if any. */
const findNamedTests = (page: string): [string, string | undefined][] =>
  [...page.matchAll(/`(test\/[\w./-]+\.test\.ts)`(?: "([^"]+)")?/g)].map(([, file = '', title]) => [file, title]);
const unescapeQuotes = (text: string): string => text.replaceAll("\\'", "'");

function expectTestExists(file: string, title: string | undefined): void {
  const whole = path.join(projectRoot, file);
  expect(existsSync(whole)).toBe(true);
  if (title !== undefined) expect(unescapeQuotes(readFileSync(whole, 'utf8'))).toContain(title);
}

const isOtherFile = ([file]: [string, string | undefined]): boolean => file !== 'test/unit/docs/security.test.ts';

describe('docs/security.md', () => {
  it('names a test for each promise', () => {
    const page = readPage('docs/security.md');
    const sections = [...page.titles].filter((title) => /^(Against|Their tests)/.test(title));
    const promises = sections.flatMap((title) => page.textBelow(title)).filter((line) => line.startsWith('- '));
    expect(sections).toHaveLength(7);
    expect(promises.length).toBeGreaterThan(30);
    expect(promises.filter((line) => !/`test\/[\w./-]+\.test\.ts` "[^"]+"/.test(line))).toEqual([]);
  });

  it.each(findNamedTests(PAGE).filter(isOtherFile))('%s has the quoted title: %s', expectTestExists);
});

/** How many requirements of levels 1 and 2 each section of OWASP ASVS 5.0.0 has. In each section they are the first ones. */
const REQUIREMENTS = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2
  2.1:3 2.2:3 2.3:4 2.4:1
  3.2:2 3.3:4 3.4:6 3.5:5 3.7:2
  4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3
  6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4
  7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  8.1:2 8.2:3 8.3:1 8.4:1
  9.1:3 9.2:4
  10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3
  11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1
  12.1:3 12.2:2 12.3:4
  13.1:1 13.2:5 13.3:2 13.4:5
  14.1:2 14.2:4 14.3:3
  15.1:3 15.2:3 15.3:7
  16.1:1 16.2:5 16.3:4 16.4:3 16.5:3
  17.1:1 17.2:4 17.3:2`;
const NUMBERS = [...REQUIREMENTS.matchAll(/([\d.]+):(\d+)/g)].flatMap(([, section, count]) =>
  Array.from({ length: Number(count) }, (_, at) => `${section}.${at + 1}`),
);

describe('docs/asvs.md', () => {
  const rows = ASVS.split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('has each of the 253 requirements of levels 1 and 2 once, in their order', () => {
    expect(NUMBERS).toHaveLength(253);
    expect(rows.map(([, number]) => number)).toEqual(NUMBERS);
  });

  it('has a topic, a state and a reason for each', () => {
    const unlike = rows.filter((cells) => {
      const [, , topic = '', state = '', reason = ''] = cells;
      return cells.length !== 6 || topic === '' || !['holds', 'does not apply', 'accepted'].includes(state) || !reason.endsWith('.');
    });
    expect(unlike).toEqual([]);
  });

  it('names the evidence of each requirement that holds', () => {
    const holding = rows.filter(([, , , state]) => state === 'holds');
    expect(holding.filter(([, , , , reason = '']) => !/`[\w./-]+\.\w+`|\]\([\w.#/-]+\)|`Dockerfile`/.test(reason))).toEqual([]);
  });

  it.each(findNamedTests(ASVS).filter(isOtherFile))('%s has the quoted title: %s', expectTestExists);

  it('names existing files, folders and settings', () => {
    const files = [
      ...ASVS.matchAll(/`((?:src|packages|test|scripts|docs|migrations)\/[\w./-]+|Dockerfile|docker-compose\.yml|\.\w+[\w.]*)`/g),
    ];
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter(([, file = '']) => !existsSync(path.join(projectRoot, file)))).toEqual([]);
    const settings = [...ASVS.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`/g)].map(([, name = '']) => name);
    expect(settings.filter((name) => name !== 'NODE_EXTRA_CA_CERTS' && !Object.hasOwn(SETTINGS, name))).toEqual([]);
  });
});
