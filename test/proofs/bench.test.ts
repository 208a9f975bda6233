import { expectCommandSucceeds } from '../support/commands';

const FIGURES = ['place-1', 'place-16', 'place-one-account', 'change', 'first-byte', 'drain', 'quote', 'reconcile', 'page', 'search'];

it('the benchmark measures its ten figures', async () => {
  const output = await expectCommandSucceeds('npm', ['run', 'bench', '--', '--smoke']);
  const rows = [...output.matchAll(/^\| `([\w-]+)` [^|]+ \| (?:ms|\/s) \| \d[\d.]* \([^|]+ \| \d[\d.]* \([^|]+ \| \d/gm)];
  expect(rows.map(([, name]) => name)).toEqual(FIGURES);
}, 660_000);
