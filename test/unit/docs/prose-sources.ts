import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';
import { studioDocument } from '../../../src/http/openapi/studio';
import { tradeDocument } from '../../../src/http/openapi/trade';
import { projectRoot } from '../../../scripts/start/project';
import type { PlacedText } from './prose';
import { typstTextsOf } from './typst-texts';

/** Prose as Markdown. */
export interface ProseSource {
  name: string;
  read: () => string;
  /** Where the text of this line comes from. */
  placeOf: (line: number) => string;
}

const readText = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.split(path.sep).join('/')}`)
    .sort();

/** Every Markdown page of the project. */
export function markdownPages(): ProseSource[] {
  const packages = ['client', 'console'].map((name) => `packages/${name}/README.md`);
  const files = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'bench/README.md', ...packages, ...filesBelow('docs')];
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({ name: file, read: () => readText(file), placeOf: (line) => `${file}:${line}` }));
}

/** Texts of both OpenAPI documents. */
export const openApiDocuments = (): ProseSource[] => [
  asMarkdown('OpenAPI document of the trade API', () => openApiTexts(tradeDocument())),
  asMarkdown('OpenAPI document of the studio API', () => openApiTexts(studioDocument())),
];

/** Texts of mails, of the command line and of PDFs with their templates. */
export const codeWithProse = (): ProseSource[] =>
  ['src/mail', 'src/cli', 'src/documents']
    .flatMap(filesBelow)
    .filter((file) => /\.(?:ts|typ)$/.test(file))
    .map((file) => asMarkdown(file, () => (file.endsWith('.typ') ? typstTextsOf(file, readText(file)) : stringsOf(file, readText(file)))));

/** One paragraph for each text. */
export function asMarkdown(name: string, findTexts: () => readonly PlacedText[]): ProseSource {
  const places: string[] = [];
  return {
    name,
    read: () => {
      const paragraphs = findTexts().flatMap(({ place, text }) => {
        // An HTML tag would hide `<id>` and split its sentence.
        const lines = [
          ...text
            .trim()
            .replace(/<[^<>]*>/g, 'x')
            .split('\n'),
          '',
        ];
        places.push(...lines.map(() => place));
        return lines;
      });
      return paragraphs.join('\n');
    },
    placeOf: (line) => places[line - 1] ?? name,
  };
}

/** Summaries, descriptions and the messages of example errors, each text once. */
export function openApiTexts(document: unknown): PlacedText[] {
  const found = new Map<string, string>();
  const visit = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const isProse = typeof value === 'string' && ['summary', 'description', 'message'].includes(key);
      if (isProse && !found.has(value)) found.set(value, `${place}/${key}`);
      visit(value, `${place}/${key}`);
    }
  };
  visit(document, '#');
  return [...found].map(([text, place]) => ({ place, text }));
}

interface SyntaxNode {
  type?: string;
  span?: { start: number };
  value?: unknown;
  operator?: string;
  left?: SyntaxNode;
  right?: SyntaxNode;
  quasis?: { cooked?: string }[];
}

/** The string literals of a source text that have several words. An expression in a template counts as one word. */
export function stringsOf(file: string, code: string): PlacedText[] {
  const source = code.replace(/^#!.*/, '');
  // swc counts bytes from the first token of the first file that it parsed.
  const prefix = ';\n';
  const module = parseSync(prefix + source, { syntax: 'typescript', target: 'es2022' });
  const bytes = Buffer.from(prefix + source);
  const lineOf = (node: SyntaxNode): number =>
    bytes
      .subarray(0, (node.span?.start ?? 0) - module.span.start)
      .toString()
      .split('\n').length - 1;
  const found: PlacedText[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const text = textOf(node);
    if (text !== null && /\p{L}\S* \S*\p{L}/u.test(text)) found.push({ place: `${file}:${lineOf(node)}`, text });
    for (const child of text === null || isTemplate(node) ? Object.values(node) : []) visit(child);
  };
  visit(module.body);
  return found;
}

const isTemplate = ({ type }: SyntaxNode): boolean => type === 'TemplateLiteral';

/** The text of a string, a template or a sum that contains one; null for another node. */
function textOf(node: SyntaxNode): string | null {
  if (node.type === 'StringLiteral') return String(node.value);
  if (isTemplate(node)) return (node.quasis ?? []).map(({ cooked }) => cooked ?? '').join('x');
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null;
  const parts = [node.left, node.right].map((side) => (side === undefined ? null : textOf(side)));
  return parts.every((part) => part === null) ? null : parts.map((part) => part ?? 'x').join('');
}
