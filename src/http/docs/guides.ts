import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { firstHeading, firstParagraph, linksIn, renderLine, sectionsOf } from './markdown';

/** The readers of a copy of the guides. The trade API serves the guides for clients; the studio API serves all guides. */
export type Audience = 'clients' | 'studio';

export interface Guide {
  /** Below `/docs/guides/`, without `.md`: `studio/keys`. */
  path: string;
  /** The path of the Markdown file below docs/guides/. */
  file: string;
  title: string;
  /** Its first paragraph, as Markdown. */
  summary: string;
  markdown: string;
}

/** The file that defines the order of the pages. */
const CONTENTS_FILE = 'README.md';
/** The guide of the client package. */
const CLIENT_README = posix.join('../..', 'packages/client/README.md');
/** Clients see only its sections for clients. */
const CHANGELOG_FILE = posix.join('../..', 'CHANGELOG.md');
const OUTSIDE_GUIDES: Readonly<Record<string, string>> = { [CLIENT_README]: 'client', [CHANGELOG_FILE]: 'changelog' };

/** The guides for these readers in the order of README.md, then by name. */
export function readGuides(folder: string, audience: Audience): Guide[] {
  const contents = join(folder, CONTENTS_FILE);
  const linked = existsSync(contents) ? linksIn(readFileSync(contents, 'utf8')) : [];
  const rank = (file: string): number => (linked.includes(file) ? linked.indexOf(file) : linked.length);
  const outside = Object.keys(OUTSIDE_GUIDES).filter((file) => existsSync(join(folder, file)));
  return [...markdownFilesIn(folder), ...outside]
    .filter((file) => audience === 'studio' || !isForStudio(file))
    .sort((one, other) => rank(one) - rank(other) || one.localeCompare(other))
    .map((file) => toGuide(file, markdownFor(audience, file, readFileSync(join(folder, file), 'utf8'))));
}

/** Other files of the guides, such as test vectors: names below `/docs/guides/`. */
export function dataFilesIn(folder: string): string[] {
  return filesIn(folder).filter((file) => file.endsWith('.json'));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.split(sep).join('/'));
}

function markdownFilesIn(folder: string): string[] {
  return filesIn(folder).filter((file) => file.endsWith('.md') && file !== CONTENTS_FILE);
}

function isForStudio(file: string): boolean {
  return file.startsWith('studio/') || file.startsWith('floor-systems');
}

function markdownFor(audience: Audience, file: string, markdown: string): string {
  if (file !== CHANGELOG_FILE || audience === 'studio') return markdown;
  return markdown
    .split(/^(?=##)/m)
    .filter((part) => !part.startsWith('### ') || part.startsWith('### For clients'))
    .join('');
}

function toGuide(file: string, markdown: string): Guide {
  const path = OUTSIDE_GUIDES[file] ?? file.replace(/\.md$/, '');
  return { path, file, title: firstHeading(markdown) ?? path, summary: firstParagraph(markdown), markdown };
}

/** The search index: each section of each guide, with its URL below `/docs/guides/`. */
export function searchEntries(guides: readonly Guide[]): object[] {
  return guides.flatMap(({ path, title, markdown }) =>
    sectionsOf(markdown).map(({ name, heading, text }) => ({ id: `${path}#${name}`, title: toPlainText(title), heading, text })),
  );
}

/** A line of Markdown as text. */
export const toPlainText = (line: string): string => renderLine(line).replace(/<[^<>]*>/g, '');
