import { expectCommandSucceeds } from '../support/commands';

const ROWS = [
  'place-1',
  'place-1/rows',
  'place-16',
  'place-16/rows',
  'place-16/burst',
  'place-one-account',
  'place-one-account/rows',
  'change',
  'change/rows',
  'first-byte',
  'drain',
  'quote',
  'reconcile',
  'page',
  'search',
];

it('the benchmark measures its ten figures', async () => {
  const output = await expectCommandSucceeds('npm', ['run', 'bench', '--', '--smoke']);
  const rows = [...output.matchAll(/^\| `([\w/-]+)` [^|]+ \| (?:ms|\/s) \| \d[\d.]* \([^|]+ \| \d[\d.]* \([^|]+ \| \d/gm)];
  expect(rows.map(([, name]) => name)).toEqual(ROWS);
});
