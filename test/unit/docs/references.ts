import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { MarkdownPage, readPage } from './markdown';

const FOLDERS = ['src', 'workflows', 'activities', 'migrations', 'scripts', 'test', 'bench', 'docs', 'packages'];
const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'Dockerfile',
  'docker-compose.yml',
  'jest.config.cjs',
  '.oxlintrc.json',
];
/** Recorded, generated, built and installed files. */
const EXCLUDED_PATHS = /^test\/service\/replay\/histories\/|\/(?:generated|dist|node_modules)\//;

/** Every text of the project that may refer to another. */
export function findReferringFiles(): string[] {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.split(path.sep).join('/')}`)
      .filter((file) => /\.(tsx?|mjs|cjs|md|json|yml)$/.test(file) && !EXCLUDED_PATHS.test(file)),
  );
  return [...found, ...FILES];
}

/** Broken references in `file`. */
export const findDanglingIn = (file: string): string[] => findDangling(file, readFileSync(path.join(projectRoot, file), 'utf8'));

/** Broken references to rulings, sections, documents, anchors and files in a text of `file`. */
export function findDangling(file: string, source: string): string[] {
  const isPage = file.endsWith('.md');
  const text = isPage ? onOneLine(source) : onOneLine(withoutCommentMarks(source));
  const prose = isPage ? text : onOneLine(withoutCommentMarks(commentsOf(source)));
  return [
    ...findUnknownRulings(text),
    ...findUnknownSections(text),
    ...findUnsupportedForms(text),
    ...findMissingDocuments(file, text),
    ...findMissingAnchors(text, isPage ? new MarkdownPage(source) : null),
    ...findMissingPaths(prose),
  ];
}

const onOneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');
const withoutCommentMarks = (text: string): string => text.replace(/^[ \t]*(\*(?!\/)|\/\/|#)/gm, '');
/** Strings may name files that a test makes; comments may not. */
const commentsOf = (code: string): string => (code.match(/\/\*[^]*?\*\/|(?<![:'"`/])\/\/[^\n]*/g) ?? []).join('\n');

const pages = new Map<string, MarkdownPage>();

function loadPage(file: string): MarkdownPage {
  const known = pages.get(file) ?? readPage(file);
  pages.set(file, known);
  return known;
}

const NUMBERS = String.raw`\d+(?:\s*(?:,|and|or|to|–|-)+\s*\d+)*`;

/** The numbers in "1, 3 and 5–7". */
function numbersIn(list: string): number[] {
  return [...list.matchAll(/(\d+)(?:\s*(?:–|-|to)\s*(\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: Math.max(Number(to) - Number(from), 0) + 1 }, (_, at) => Number(from) + at),
  );
}

/** The pages of docs/decisions with the numbers in their headings, such as `## 34. Placing is one transaction`. */
export const decisionPages = (): { name: string; rulings: number[] }[] =>
  readdirSync(path.join(projectRoot, 'docs/decisions'))
    .filter((name) => name !== 'README.md')
    .map((name) => ({ name, rulings: numbersOfHeadings(loadPage(`docs/decisions/${name}`)) }));

const numbersOfHeadings = ({ titles }: MarkdownPage): number[] =>
  [...titles].flatMap((title) => (/^\d+\. /.test(title) ? [Number.parseInt(title, 10)] : []));

/** "ruling 34", "rulings 2, 13–15". */
function findUnknownRulings(text: string): string[] {
  const known = new Set(decisionPages().flatMap(({ rulings }) => rulings));
  return [...text.matchAll(new RegExp(String.raw`\brulings?\s+(${NUMBERS})`, 'gi'))].flatMap(([reference, list = '']) =>
    numbersIn(list).every((number) => known.has(number)) ? [] : [reference],
  );
}

/** Documents by the names that references use; null for documents outside this project. */
const DOCUMENT_BY_NAME: Readonly<Record<string, string | null>> = {
  specification: 'docs/specification.md',
  'studio api': 'docs/studio-api.md',
  readme: 'README.md',
  architecture: 'docs/architecture.md',
  'design notes': null,
};
const QUOTED = String.raw`"[^"]+"(?:,?\s(?:rule\s)?${NUMBERS})?`;
const SECTIONS = new RegExp(
  String.raw`\b(${Object.keys(DOCUMENT_BY_NAME).join('|')})(?:'s)?(?:,|:)?\s\(?(${QUOTED}(?:(?:,|\sand)\s${QUOTED})*)`,
  'gi',
);
/** "(specification, 4)" does not name a section. */
const SECTIONLESS = new RegExp(String.raw`\b(?:${Object.keys(DOCUMENT_BY_NAME).join('|')}),?\s\d+\)`, 'gi');

/** 'specification "Limits"', 'specification "Signature verification" 1 and 2', 'the specification ("Endpoints", "Limits")'. */
function findUnknownSections(text: string): string[] {
  const named = [...text.matchAll(SECTIONS)].flatMap(([reference, document = '', list = '']) => {
    const file = DOCUMENT_BY_NAME[document.toLowerCase()] ?? null;
    const isThere = file !== null && [...list.matchAll(new RegExp(QUOTED, 'g'))].every(([one]) => hasSection(loadPage(file), one));
    return isThere ? [] : [reference];
  });
  return [...named, ...(text.match(SECTIONLESS) ?? [])];
}

/** `"Title"`, or `"Title" 3` for the third item of the list below it. */
function hasSection(where: MarkdownPage, quoted: string): boolean {
  const [, title = '', list = ''] = /^"([^"]+)"(.*)$/.exec(quoted) ?? [];
  const items = where.listNumbers(title);
  return where.titles.has(title) && numbersIn(list).every((number) => items.includes(number));
}

/** Texts that look like a citation in an unsupported form. */
const UNSUPPORTED_FORMS: readonly { form: RegExp; write: string }[] = [
  { form: /\b(?:rulings?|decisions?)(?! \d)[\s:;,.('"“‘`*_#№§[-]*(?:(?:no|nos|nr|number|numbers)\b[\s.:#]*)?\d+/gi, write: 'ruling 34' },
  { form: /\bdecisions? \d+/gi, write: 'ruling 34' },
  {
    form: new RegExp(String.raw`\brulings?\s+${NUMBERS}\s*(?:[—―…~&+/;]|\.\.+|through|until|till|up to|as well as)\s*\d+`, 'gi'),
    write: 'rulings 34, 36 and 38–40',
  },
  { form: /\bspecs?[\s,:(]*"\s*\S+/gi, write: 'specification "Limits"' },
  {
    form: /\bspec(?:ification|s)?(?:'s)?(?:[\s,:(]*[§“‘«]|[\s,:(]+(?:['`*_]\w|sections?\s["'“\d§]))\s*\S+/gi,
    write: 'specification "Limits"',
  },
];

function findUnsupportedForms(text: string): string[] {
  return UNSUPPORTED_FORMS.flatMap(({ form, write }) => (text.match(form) ?? []).map((found) => `${found}: write ${write}`));
}

/** `docs/x.md`, `x.md#anchor`, `docs/x.md, "Section"`: relative to the root, to the file's folder or to docs/. */
function findMissingDocuments(file: string, text: string): string[] {
  const mentions = text.matchAll(/(?<![\w/.-]|:\/\/\S*)([\w./-]*\w\.md)(?:#([\p{L}\p{N}_-]+)|`?,?\s"([^"]+)"(?=[.,;:)\s]))?/gu);
  return [...mentions].flatMap(([reference, name = '', anchor, title]) => {
    const there = ['', path.posix.dirname(file), 'docs'].map((from) => path.posix.join(from, name)).find(isFile);
    if (there === undefined) return [reference];
    const fits =
      (anchor === undefined || loadPage(there).anchors.has(anchor)) && (title === undefined || loadPage(there).titles.has(title));
    return fits ? [] : [reference];
  });
}

/** `](#anchor)` in a page. */
function findMissingAnchors(text: string, self: MarkdownPage | null): string[] {
  if (self === null) return [];
  return [...text.matchAll(/\]\(#([^)]+)\)/g)].flatMap(([reference, anchor = '']) => (self.anchors.has(anchor) ? [] : [reference]));
}

/** `src/domain/limits.ts` must be a file of the project. */
function findMissingPaths(text: string): string[] {
  const named = text.matchAll(new RegExp(String.raw`(?<![\w/.*-])(?:${FOLDERS.join('|')})/[\w./-]*\.(?:tsx?|mjs|cjs|json)\b`, 'g'));
  return [...named].flatMap(([file]) => (isFile(file) ? [] : [file]));
}

function isFile(file: string): boolean {
  const whole = path.join(projectRoot, file);
  return existsSync(whole) && statSync(whole).isFile();
}
