import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';

/** A fenced block of a page. */
export interface CodeBlock {
  language: string;
  text: string;
  /** Line of its start, counted from 1. */
  line: number;
  /** The paragraph before it. */
  before: string;
}

/** An action of a reader, in the order of the page. */
export type ReaderStep =
  | {
      kind: 'run';
      script: string;
      line: number;
      /** The answer, and the whole output, that the page shows; undefined: it shows none. */ shown?: unknown;
      printed?: string;
    }
  | { kind: 'save'; name: string; text: string; line: number };

export const readGuide = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

export function blocksOf(page: string): CodeBlock[] {
  return [...page.matchAll(/^```(\w*)[^\n]*\n([^]*?)^```$/gm)].map(({ 1: language = '', 2: text = '', index }) => {
    const above = page.slice(0, index);
    return {
      language,
      text,
      line: above.split('\n').length,
      before:
        above
          .trimEnd()
          .split(/\n\s*\n/)
          .at(-1) ?? '',
    };
  });
}

/** "Save this as `order.mjs`", followed by a block with the file's content. */
const SAVE_INSTRUCTION = /\b[Ss]ave (?:it|this)\s+as\s+`([\w.-]+)`/;
const PROGRAM_LANGUAGES = ['js', 'ts', 'html', 'py'];

/**
 * The steps of a reader: run `sh`, and save a program if the text before it says so. `json` after `sh` is the last response, and `text` is
 * the complete output. @throws Error for a program without an instruction to save it, because it would not run
 */
export function stepsOf(page: string): ReaderStep[] {
  const steps: ReaderStep[] = [];
  let last: CodeBlock | undefined;
  for (const block of blocksOf(page)) {
    const { language, text, line, before } = block;
    const previous = steps.at(-1);
    if (language === 'sh') steps.push({ kind: 'run', script: text, line });
    else if (language === 'json' && last?.language === 'sh' && previous?.kind === 'run') previous.shown = JSON.parse(text);
    else if (language === 'text' && last?.language === 'sh' && previous?.kind === 'run') previous.printed = text;
    else if (PROGRAM_LANGUAGES.includes(language)) {
      const name = SAVE_INSTRUCTION.exec(before)?.[1];
      if (name === undefined) throw new Error(`line ${line}: a program that nobody is told to save`);
      steps.push({ kind: 'save', name, text, line });
    }
    last = block;
  }
  return steps;
}

/**
 * Differences between a response and the one that a page shows. In a shown text, `…` matches anything. A shown object may omit fields, and a
 * shown list may end with "…".
 */
export function findDifferences(shown: unknown, answer: unknown, at = ''): string[] {
  if (Array.isArray(shown)) return findListDifferences(shown, answer, at);
  if (typeof shown === 'object' && shown !== null) {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
      return [`${at || '.'}: ${JSON.stringify(answer)} is no object`];
    const fields = answer as Record<string, unknown>;
    return Object.entries(shown).flatMap(([name, value]) =>
      name in fields ? findDifferences(value, fields[name], `${at}.${name}`) : [`${at}.${name} is not there`],
    );
  }
  const isSame = typeof shown === 'string' && typeof answer === 'string' ? matchesPattern(shown, answer) : shown === answer;
  return isSame ? [] : [`${at || '.'}: shown ${JSON.stringify(shown)}, came ${JSON.stringify(answer)}`];
}

function findListDifferences(shown: unknown[], answer: unknown, at: string): string[] {
  if (!Array.isArray(answer)) return [`${at || '.'}: ${JSON.stringify(answer)} is no list`];
  const isOpen = shown.at(-1) === '…';
  const expected = isOpen ? shown.slice(0, -1) : shown;
  const lengthIsRight = isOpen ? answer.length >= expected.length : answer.length === expected.length;
  if (!lengthIsRight) return [`${at || '.'}: ${expected.length} shown, ${answer.length} came`];
  return expected.flatMap((value, index) => findDifferences(value, answer[index], `${at}.${index}`));
}

/** Whether a text matches the shown one, in which `…` matches anything. */
export function matchesPattern(shown: string, answer: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^]*')}$`).test(answer);
}
