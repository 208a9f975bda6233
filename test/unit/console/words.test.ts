import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codesAbout } from '../../../src/domain/attention';
import { changeKindsFor } from '../../../src/domain/change-feed';
import { MILESTONE_TYPES } from '../../../src/domain/order-message-types';

// The console is built by its own settings, as modules that only a browser loads.
const { MOVES } = require('../../../packages/console/src/screens/order/actions/consequences') as { MOVES: object };

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
    const [union = ''] = findMatches(readFile('src', 'webhooks', 'outcome.ts'), /export type AttemptErrorCode =([^;]*);/g);
    const codes = findMatches(union, /'([a-z_]+)'/g);
    expect(codes).toContain('bad_status');
    expect(codes.filter((code) => !consoleText('endpoints', 'words.ts').includes(`  ${code}: {`))).toEqual([]);
  });

  it('mark the actions that the service marks as money', () => {
    expect(findMatches(consoleText('shared', 'attention.tsx'), /([A-Z_]+): 'office'/g)).toEqual(codesAbout('money'));
  });

  it('refresh the queries that each event invalidates', () => {
    const live = consoleText('live', 'live.tsx');
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
    const milestones = Object.keys(MOVES).map((type) => `milestone.${type}`);
    expect(actions.filter((action) => !milestones.includes(action) && !words.includes(`  '${action}': `))).toEqual([]);
  });
});
