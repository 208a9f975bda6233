import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { firstHeading, firstParagraph, linksIn, renderLine, sectionsOf } from './markdown';

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
/** Clients are served the part that is for them. */
const CHANGELOG = posix.join('../..', 'CHANGELOG.md');
const OUTSIDE: Readonly<Record<string, string>> = { [CLIENT]: 'client', [CHANGELOG]: 'changelog' };

/** The guides for these readers, in the order in which the contents in README.md name them, and by name where they do not. */
export function readGuides(folder: string, readers: Readers): Guide[] {
  const contents = join(folder, CONTENTS);
  const named = existsSync(contents) ? linksIn(readFileSync(contents, 'utf8')) : [];
  const rank = (file: string): number => (named.includes(file) ? named.indexOf(file) : named.length);
  const outside = Object.keys(OUTSIDE).filter((file) => existsSync(join(folder, file)));
  return [...markdownFilesIn(folder), ...outside]
    .filter((file) => readers === 'studio' || !isForStudio(file))
    .sort((one, other) => rank(one) - rank(other) || one.localeCompare(other))
    .map((file) => guide(file, textFor(readers, file, readFileSync(join(folder, file), 'utf8'))));
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

function textFor(readers: Readers, file: string, markdown: string): string {
  if (file !== CHANGELOG || readers === 'studio') return markdown;
  return markdown
    .split(/^(?=##)/m)
    .filter((part) => !part.startsWith('### ') || part.startsWith('### For clients'))
    .join('');
}

function guide(file: string, markdown: string): Guide {
  const path = OUTSIDE[file] ?? file.replace(/\.md$/, '');
  return { path, file, title: firstHeading(markdown) ?? path, summary: firstParagraph(markdown), markdown };
}

/** What the search of the pages looks through: each section of each guide, with its address below `/docs/guides/`. */
export function searchedSections(guides: readonly Guide[]): object[] {
  return guides.flatMap(({ path, title, markdown }) =>
    sectionsOf(markdown).map(({ name, heading, text }) => ({ id: `${path}#${name}`, title: plain(title), heading, text })),
  );
}

/** A line of Markdown as text. */
export const plain = (line: string): string => renderLine(line).replace(/<[^<>]*>/g, '');
