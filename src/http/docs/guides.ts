import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { firstHeading, firstParagraph, linksIn } from './markdown';

/** Who reads: integrators on the trade listener, and besides them the studio and its floor systems on the studio's. */
export type Readers = 'clients' | 'studio';

/** One page of docs/guides/. */
export interface Guide {
  /** Below `/docs/guides/`, without `.md`: `studio/keys`. */
  path: string;
  /** Where its Markdown is, below docs/guides/. */
  file: string;
  title: string;
  /** Its first paragraph, as Markdown. */
  summary: string;
  markdown: string;
}

/** Where the order of the pages is written down, for those who read them elsewhere. */
const CONTENTS = 'README.md';
/** The client package brings its own guide. */
const CLIENT = posix.join('../..', 'packages/client/README.md');

/** The guides for these readers, in the order in which the contents in README.md name them, and by name where they do not. */
export function readGuides(folder: string, readers: Readers): Guide[] {
  const contents = join(folder, CONTENTS);
  const named = existsSync(contents) ? linksIn(readFileSync(contents, 'utf8')) : [];
  const rank = (file: string): number => (named.includes(file) ? named.indexOf(file) : named.length);
  const client = existsSync(join(folder, CLIENT)) ? [CLIENT] : [];
  return [...markdownFilesIn(folder), ...client]
    .filter((file) => readers === 'studio' || !isForStudio(file))
    .sort((one, other) => rank(one) - rank(other) || one.localeCompare(other))
    .map((file) => guide(file, readFileSync(join(folder, file), 'utf8')));
}

/** What stands beside the guides for programs, such as test vectors: names below `/docs/guides/`. */
export function dataFilesIn(folder: string): string[] {
  return filesIn(folder).filter((file) => file.endsWith('.json'));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.split(sep).join('/'));
}

function markdownFilesIn(folder: string): string[] {
  return filesIn(folder).filter((file) => file.endsWith('.md') && file !== CONTENTS);
}

function isForStudio(file: string): boolean {
  return file.startsWith('studio/') || file.startsWith('floor-systems');
}

function guide(file: string, markdown: string): Guide {
  const path = file === CLIENT ? 'client' : file.replace(/\.md$/, '');
  return { path, file, title: firstHeading(markdown) ?? path, summary: firstParagraph(markdown), markdown };
}
