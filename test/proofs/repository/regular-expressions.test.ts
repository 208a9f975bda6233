import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import {
  findConstructedOnLoad,
  type Expression,
  parseExpressions,
  filesBelow,
  saveLinearExpressions,
  explainSuperLinear,
} from './regular-expressions';

/** Folders of code that reads external texts. */
const FOLDERS = ['src', 'workflows', 'activities', 'packages/client/src'];

/** Expressions that a function creates from text when called, with an example of that text. */
const RUNTIME_EXPRESSIONS: readonly Expression[] = [
  { file: 'src/cli/program.ts', source: '\\bshippingMethodId\\b', flags: 'g' },
  { file: 'src/http/docs/documentation.ts', source: '\\bSTUDIO=[^\\s`]+', flags: 'g' },
  { file: 'src/config/production-settings.ts', source: '^lps_', flags: '' },
];

/** Expressions that take more than linear time, as `file /source/flags`, each with the reason why its texts are short. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

const formatExpression = ({ file, source, flags }: Expression): string => `${file} /${source}/${flags}`;

describe('Regular expressions', () => {
  const written = FOLDERS.flatMap(filesBelow).map((file) => ({
    file,
    ...parseExpressions(file, readFileSync(join(projectRoot, file), 'utf8')),
  }));

  it('of the sources match in linear time', () => {
    const made = [
      ...findConstructedOnLoad(written.filter(({ constructed }) => constructed > 0).map(({ file }) => file)),
      ...RUNTIME_EXPRESSIONS,
    ];
    const all = [...written.flatMap(({ literals }) => literals), ...made];
    expect(all.length).toBeGreaterThan(150);
    const found = all.flatMap((expression) => {
      const reason = explainSuperLinear(expression);
      return reason === null ? [] : [[formatExpression(expression), reason] as const];
    });
    saveLinearExpressions();
    expect(found.filter(([name]) => !Object.hasOwn(EXCEPTIONS, name))).toEqual([]);
    expect(Object.keys(EXCEPTIONS).filter((name) => !found.some(([other]) => other === name))).toEqual([]);
    // Each `new RegExp(…)` was recorded while its file was loaded, or is in the list above.
    for (const { file, constructed } of written)
      expect([file, made.filter((one) => one.file === file).length >= constructed]).toEqual([file, true]);
  });

  it.each<[string, string]>([
    ['(a+)+$', ''],
    ['\\s+$', ''],
    ['<[^>]*>', 'g'],
    ['"(?:[^"\\\\]|\\\\.)*"', 'g'],
    [`(^[\\s\\p{Cc}\\p{Cf}]+|[,;|\\t\\r\\n"'][\\s\\p{Cc}\\p{Cf}]*)(?=[=+\\-@])`, 'gu'],
  ])('with more than linear time are found: /%s/%s', (source, flags) => {
    expect(explainSuperLinear({ source, flags })).toMatch(/polynomial|exponential/);
  });

  it('are found in literals, in JSX, and in RegExp calls', () => {
    const text = 'const made = () => [new RegExp(`^${x}`), RegExp("b+")]; export const A = <p title={/a"/g.source}>b /c/</p>;';
    expect(parseExpressions('a.tsx', text)).toEqual({ literals: [{ file: 'a.tsx', source: 'a"', flags: 'g' }], constructed: 2 });
  });
});
