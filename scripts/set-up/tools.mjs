// Programs that are not npm packages: found, or made once per machine. Here is what they have in common, and versitygw, an S3
// server for the tests; Temporal's are in temporal-tools.mjs. What was found is written to a note that scripts/start/tools.ts reads.

import { accessSync, constants, existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDir, fillCacheFolder, withLock } from './cache.mjs';
import { notesDir, readJson } from './project.mjs';
import { run, say, SetupFailure, step } from './report.mjs';

const VERSITYGW = '1.8.0';

/**
 * A small S3 server to test against. Optional: the tests that need it say why they cannot run.
 * @param packages resolves when node_modules is whole: building takes as long and can be done meanwhile, but the note is kept there
 */
export function ensureVersitygw(packages) {
  const name = 'versitygw';
  const folder = `go-${VERSITYGW}`;
  return ensureOptionalTool(
    name,
    [cached(name, folder, name), onPath(name)],
    () =>
      goInstall({
        name,
        program: name,
        folder,
        module: `github.com/versity/versitygw/cmd/versitygw@v${VERSITYGW}`,
        title: 'building versitygw, an S3 server for the tests, about a minute, once per machine',
        advice: 'Or put `versitygw` on the PATH.',
      }),
    packages,
  );
}

/** As `ensureTool`, but a set-up goes on without it, and the note says why. */
export async function ensureOptionalTool(name, places, get, packages) {
  const entry = await findOrGet(name, places, get).then(
    (path) => ({ path }),
    (error) => {
      if (!(error instanceof SetupFailure)) throw error;
      say(`going on without ${name}: ${error.message}`);
      return { problem: error.message };
    },
  );
  await packages;
  note(name, entry);
}

/** Finds or gets a program, and notes where it is. @returns its path */
export async function ensureTool(name, places, get) {
  const path = await findOrGet(name, places, get);
  note(name, { path });
  return path;
}

async function findOrGet(name, places, get) {
  const find = () => places.map((place) => place()).find((path) => path !== undefined);
  return find() ?? withLock(name, async () => find() ?? get());
}

/** Writes only what has changed: a set-up with nothing to do touches nothing. */
function note(name, entry) {
  const file = join(notesDir, 'tools.json');
  const before = existsSync(file) ? readJson(file) : {};
  if (JSON.stringify(before[name]) === JSON.stringify(entry)) return;
  mkdirSync(notesDir, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, `${JSON.stringify({ ...before, [name]: entry }, null, 2)}\n`);
  renameSync(`${file}.${process.pid}`, file);
}

// ——— where to look ———

export function onPath(program) {
  return () =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .filter(Boolean)
      .map((dir) => join(dir, program))
      .find(isExecutable);
}

export function cached(name, folder, program) {
  return () => [join(cacheDir(), name, folder, program)].find(isExecutable);
}

/** False also below a folder we may not enter: a PATH may name somebody else's. */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

// ——— how to get it ———

/** Builds one program, or several of one module, into a folder of the cache; answers the path of the first. */
export async function goInstall({ name, program, folder, module, title, advice, go = '1.24' }) {
  if (onPath('go')() === undefined) {
    throw new SetupFailure(
      `${program} was not found, could not be downloaded, and there is no Go to build it with.\n` +
        `Install Go ${go} or later (https://go.dev/dl/) and start again. ${advice}`,
    );
  }
  const home = join(cacheDir(), name, folder);
  try {
    await step(title, () =>
      fillCacheFolder(home, async (partial) => {
        for (const one of [module].flat()) await run('go', ['install', one], { cwd: partial, env: goEnvironment(partial) });
        if (!isExecutable(join(partial, program))) throw new SetupFailure(`go install left no ${program}`);
      }),
    );
  } catch (error) {
    throw new SetupFailure(
      `${program} could not be built. ${error.message}\nIt needs a current Go and a Go module proxy that can be reached. ${advice}`,
    );
  }
  return join(home, program);
}

/** Go's own folders need a home folder; without one they go to our cache. GOBIN forbids a foreign GOOS or GOARCH. */
function goEnvironment(bin) {
  const { GOOS: _os, GOARCH: _arch, ...env } = process.env;
  const homeless = env.HOME ? {} : { GOPATH: join(cacheDir(), 'go'), GOCACHE: join(cacheDir(), 'go-build') };
  return { ...homeless, ...env, GOBIN: bin, GOFLAGS: '-buildvcs=false', GO111MODULE: 'on', GOWORK: 'off' };
}
