import { ATTEMPT_ERROR_CODES } from '../../../src/webhooks/outcome';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTENTION_CODES, codesAbout } from '../../../src/domain/attention';
import { changeKindsFor } from '../../../src/domain/change-feed';
import { MILESTONE_TYPES } from '../../../src/domain/order-messages';

const ROOT = join(__dirname, '..', '..', '..');
const readFile = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
const consoleText = (...path: string[]): string => readFile('packages', 'console', 'src', ...path);
const findMatches = (text: string, pattern: RegExp): string[] => [...new Set([...text.matchAll(pattern)].map(([, word = '']) => word))];

/** Every source of the service whose writes are audited. */
function readAuditedSources(): string {
  const folders = [['activities'], ['src', 'orders'], ['src', 'cli'], ['src', 'http', 'studio']];
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, ...folder), { recursive: true, encoding: 'utf8' }).map((file) => [...folder, file]),
  );
  return files
    .filter((path) => path.at(-1)?.endsWith('.ts') === true && path.at(-1) !== 'support/examples.ts')
    .map((path) => readFile(...path))
    .join('\n');
}

describe('the texts of the console', () => {
  it('describe every failure of an attempt', () => {
    expect(ATTEMPT_ERROR_CODES.filter((code) => !consoleText('shared', 'words.ts').includes(`  ${code}: {`))).toEqual([]);
  });

  it('mark the attention that the service keeps from the floor', () => {
    expect(findMatches(consoleText('shared', 'attention.tsx'), /([A-Z_]+): \['office'/g)).toEqual(
      ATTENTION_CODES.filter((code) => !codesAbout('work').includes(code)),
    );
  });

  it('refresh the queries that each event invalidates', () => {
    const live = consoleText('live', 'nouns.ts');
    expect(changeKindsFor('admin').filter((kind) => !live.includes(`  ${kind}: ['`))).toEqual([]);
  });

  it('describe every action of the audit log', () => {
    const text = readAuditedSources();
    const actions = [
      ...findMatches(
        text,
        /'((?:account|account-payment|attention|catalogue|credit-note|delivery|endpoint|key|milestone|order|parcel|payment|price-book|refund|role|settings|sign-in|token)\.[a-z_]+)'/g,
      ),
      ...findMatches(text, /action: '([a-z.-]+)'/g),
      ...MILESTONE_TYPES.map((type) => `milestone.${type}`),
    ];
    expect(actions).toEqual(expect.arrayContaining(['endpoint.rotate_secret', 'parcel.add', 'role.refused', 'sign-in', 'order.remake']));
    const words = consoleText('screens', 'audit', 'words.ts');
    expect(actions.filter((action) => !words.includes(`  '${action}': `))).toEqual([]);
  });
});
