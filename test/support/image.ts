import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from '../../scripts/start/project';

/** The Dockerfile runs it after `npm ci`. */
const TRIM_PACKAGES = 'scripts/release/trim-packages.mjs';

/**
 * Creates the image's /app in `folder` with the steps of the Dockerfile: the packages of `npm ci --omit=dev` from the lock file, dist/ with
 * the workflow bundle, the client package and the console, without the files that the Dockerfile deletes.
 */
export function createImageLayout(folder: string): void {
  for (const path of productionPackages()) linkTree(join(projectRoot, path), join(folder, path));
  for (const path of linkedPackages()) copyLink(join(projectRoot, path), join(folder, path));
  copyFileSync(join(projectRoot, 'package.json'), join(folder, 'package.json'));
  build(folder);
  for (const step of ['temporal/workflow-bundle.js', 'cli/contract.js'])
    execFileSync(process.execPath, [join(folder, 'dist', 'src', step)], { cwd: folder, stdio: 'pipe' });
  for (const path of pathsCopiedTo('the image')) cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
  execFileSync(process.execPath, [join(projectRoot, TRIM_PACKAGES), join(folder, 'node_modules')], { stdio: 'pipe' });
}

/** Compiles only the files that the build stage copies, so files missing from the Dockerfile or .dockerignore are found. */
function build(into: string): void {
  const context = mkdtempSync(join(tmpdir(), 'trade-print-build-'));
  try {
    for (const path of pathsCopiedTo('the build'))
      cpSync(join(projectRoot, path), join(context, path), { recursive: true, filter: (source) => basename(source) !== 'generated' });
    for (const path of ['node_modules', 'packages/client/node_modules', 'packages/console/node_modules'])
      if (existsSync(join(projectRoot, path))) symlinkSync(join(projectRoot, path), join(context, path));
    const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    execFileSync(process.execPath, ['packages/client/scripts/types.mjs'], { cwd: context, stdio: 'pipe' });
    execFileSync(process.execPath, ['packages/client/scripts/build.mjs'], { cwd: context, stdio: 'pipe' });
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: context, stdio: 'pipe' });
    const vite = join(projectRoot, 'node_modules', 'vite', 'bin', 'vite.js');
    execFileSync(process.execPath, [vite, 'build', 'packages/console'], {
      cwd: context,
      stdio: 'pipe',
      env: { ...process.env, NODE_ENV: 'production' },
    });
    for (const path of pathsCopiedFromBuild()) cpSync(join(context, path), join(into, path), { recursive: true });
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

/** Files that the Dockerfile copies from the project, filtered by .dockerignore: for compiling, or directly into the image. */
function pathsCopiedTo(target: 'the build' | 'the image'): string[] {
  const allowedPaths = [...readFileSync(join(projectRoot, '.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
  const stages = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8').split(/^FROM /m);
  const lines = stages
    .filter((_, at) => (at === stages.length - 1) === (target === 'the image'))
    .join('')
    .matchAll(/^COPY (?!--from)(.+) \S+$/gm);
  return [...new Set([...lines].flatMap(([, paths = '']) => paths.split(' ')))].filter((path) =>
    allowedPaths.some((allowed) => path === allowed || path.startsWith(`${allowed}/`)),
  );
}

/** Files that the last stage copies from the build stage. */
function pathsCopiedFromBuild(): string[] {
  const lines = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8').matchAll(/^COPY --from=build \/app\/(\S+) \.\/\1$/gm);
  return [...lines].map(([, path = '']) => path);
}

/** Paths such as node_modules/koa, of what this machine has installed. */
function productionPackages(): string[] {
  return lockedPaths(({ dev, link }) => dev !== true && link !== true);
}

/** Paths such as node_modules/@trade-print/client, which are links to folders of the project. */
function linkedPackages(): string[] {
  return lockedPaths(({ link }) => link === true);
}

function lockedPaths(isWanted: (entry: { dev?: boolean; link?: boolean }) => boolean): string[] {
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path.startsWith('node_modules/') && isWanted(entry) && existsSync(join(projectRoot, path)))
    .map(([path]) => path);
}

/** A package without those below it, which the lock file names themselves. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name === 'node_modules') continue;
    const [source, target] = [join(from, name), join(to, name)];
    const entry = lstatSync(source);
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isDirectory()) linkTree(source, target);
    else linkOrCopy(source, target);
  }
}

function copyLink(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(readlinkSync(source), target);
}

function linkOrCopy(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target); // on another file system
  }
}
