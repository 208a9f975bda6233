import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../dev/project';

const FIGURES = ['place-1', 'place-16', 'place-one-account', 'change', 'life', 'first-byte', 'drain', 'quote', 'page', 'search'];
const TIMEOUT_MS = 5 * 60_000;

/** A failed part ends the run with code 1, which rejects. */
it(
  'the benchmark measures its ten figures, and its other parts run',
  async () => {
    const script = join(projectRoot, 'scripts', 'run', 'bench.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script, '--smoke'], { cwd: projectRoot });
    const rows = [...stdout.matchAll(/^\| `([\w-]+)` [^|]+ \| (?:ms|\/s) \| \d[\d.]* \([^|]+ \| \d[\d.]* \([^|]+ \| \d/gm)];
    expect(rows.map(([, name]) => name)).toEqual(FIGURES);
  },
  TIMEOUT_MS,
);
