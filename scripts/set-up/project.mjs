import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The set-up records here which steps are done. Deleting node_modules also deletes the records, so the steps run again. */
export const stampsDir = join(projectRoot, 'node_modules', '.cache', 'trade-print');

export function inProject(...parts) {
  return join(projectRoot, ...parts);
}

export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

export function readIfExists(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Returns one hash over the contents of files and folders. Paths are relative to the project. */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesBelow).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(inProject(path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  const full = inProject(path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full).flatMap((name) => filesBelow(`${path}/${name}`));
}
