import path from 'node:path';
import { TextlintKernel, type TextlintKernelRule, type TextlintRuleReporter } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import maxWordCount from 'textlint-rule-en-max-word-count';
import prh from 'textlint-rule-prh';
import writeGood from 'textlint-rule-write-good';

/** A sentence that breaks a rule. */
export interface ProseFinding {
  /** Counted from 1. */
  line: number;
  rule: string;
  message: string;
  sentence: string;
}

/** A text of the code, and its file and line. */
export interface PlacedText {
  place: string;
  text: string;
}

export interface ProseReport {
  findings: ProseFinding[];
  /** Sentences that may be in the passive voice. They do not fail. */
  passives: number;
}

const MAX_WORDS = 25;
const PASSIVE = 'passive';

/** The published rule reads paragraphs only and ends a sentence with its line. Our sentences wrap, and much of our reference is in tables. */
const maxWordCountOfSentences: TextlintRuleReporter = (context, options) => {
  const { Paragraph } = maxWordCount(context, options);
  const check = (node: TextNode): void => void Paragraph?.(joinLines(node) as object as ParagraphNode);
  return { [context.Syntax.Paragraph]: check, [context.Syntax.TableCell]: check };
};

type ParagraphNode = Parameters<NonNullable<ReturnType<TextlintRuleReporter>['Paragraph']>>[0];

interface TextNode {
  raw: string;
  value?: string;
  children?: readonly TextNode[];
}

/** The node with spaces for its line breaks; positions stay. */
function joinLines(node: TextNode): TextNode {
  const { raw, value, children } = node;
  return {
    ...node,
    raw: raw.replaceAll('\n', ' '),
    ...(value !== undefined && { value: value.replaceAll('\n', ' ') }),
    ...(children !== undefined && { children: children.map(joinLines) }),
  };
}

const RULES: TextlintKernelRule[] = [
  { ruleId: 'sentence-length', rule: maxWordCountOfSentences, options: { max: MAX_WORDS } },
  {
    ruleId: 'words',
    rule: prh,
    options: { rulePaths: [path.join(__dirname, 'prose.yml')], checkLink: true, checkBlockQuote: true, checkEmphasis: true },
  },
  {
    ruleId: PASSIVE,
    rule: writeGood,
    options: { weasel: false, illusion: false, so: false, thereIs: false, adverb: false, tooWordy: false, cliches: false },
  },
];

const kernel = new TextlintKernel();

/** Checks the prose of a Markdown text: paragraphs, headings, lists and tables, without code. */
export async function lintProse(text: string): Promise<ProseReport> {
  const { messages } = await kernel.lintText(hideCode(text), {
    ext: '.md',
    plugins: [{ pluginId: 'markdown', plugin: markdown }],
    rules: RULES,
  });
  const failures = messages.filter(({ ruleId }) => ruleId !== PASSIVE);
  return {
    passives: messages.length - failures.length,
    findings: failures.map(({ loc, ruleId, message, range }) => ({
      line: loc.start.line,
      rule: ruleId,
      message,
      sentence: sentenceAt(text, range[0]),
    })),
  };
}

/** A code span, or a list of them, becomes one word of the same length. Rules then read across it, and positions stay. */
function hideCode(text: string): string {
  return text.replace(/^ *```[^]*?^ *```|(`+)[^`]+\1(?:, `[^`]+`)*/gm, (code, ticks?: string) =>
    ticks === undefined ? code : code.replace(/[^\n]/g, 'x'),
  );
}

function sentenceAt(text: string, index: number): string {
  const before = text.slice(0, index);
  const start = Math.max(...['. ', '.\n', '\n\n', '\n- ', '| '].map((mark) => before.lastIndexOf(mark) + mark.length), 0);
  const end = /[.!?](?=\s)|\n\n| \||$/.exec(text.slice(index));
  return text
    .slice(start, index + (end?.index ?? 0))
    .replace(/\s+/g, ' ')
    .trim();
}
