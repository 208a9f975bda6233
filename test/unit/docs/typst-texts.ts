import type { PlacedText } from './prose';

const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//y;
const STRING = /"((?:[^"\\]|\\[^])*)"/y;
/** Statements end with their line. */
const STATEMENT = /(?:let|set|show|import|include)\b/y;
/** These end with their last block. */
const CONTROL = /(?:if|for|while)\b/y;
const ELSE = /\s*else\b/y;
const PATH = /\.?[\p{L}_][\p{L}\p{N}_-]*/uy;

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}' };
const EXPRESSION = '\0';

/** The texts of several words that a Typst template prints. An expression in markup counts as one word. */
export function typstTextsOf(file: string, source: string): PlacedText[] {
  const found: PlacedText[] = [];
  let at = 0;

  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const isAt = (signs: string): boolean => signs.includes(source[at] ?? EXPRESSION);
  const add = (text: string, start: number): void => {
    const place = `${file}:${source.slice(0, start).split('\n').length}`;
    const prose = text
      .replaceAll(EXPRESSION, 'x')
      .replace(/^=+ |\*/gm, '')
      .trim();
    if (/\p{L}\S* \S*\p{L}/u.test(prose)) found.push({ place, text: prose });
  };

  /** Reads to the end of a content block or of the file. A heading and a line without text end a paragraph. */
  function readMarkup(end: ']' | null): void {
    let [paragraph, start] = ['', at];
    const endParagraph = (): void => {
      add(paragraph, start);
      paragraph = '';
    };
    while (at < source.length && source[at] !== end) {
      if (paragraph.trim() === '') start = at;
      if (take(COMMENT) !== null) continue;
      const letter = source[at++] ?? '';
      if (letter === '#') {
        readExpression();
        paragraph += EXPRESSION;
      } else if (letter === '\n' && /(?:^|\n)(?:[\s\0]*|=+ [^\n]*)$/.test(paragraph)) endParagraph();
      else paragraph += letter;
    }
    at += 1;
    endParagraph();
  }

  /** Reads the expression after `#`. */
  function readExpression(): void {
    if (take(STATEMENT) !== null) return readCode('\n');
    if (take(CONTROL) === null) {
      while (take(PATH) !== null || isAt('([')) if (isAt('([')) readToken();
      return;
    }
    do {
      while (at < source.length && !isAt('{[')) readToken();
      readToken();
    } while (take(ELSE) !== null);
  }

  /** Reads up to a closing sign, and over it unless it ends the line. */
  function readCode(end: string): void {
    while (at < source.length && source[at] !== end) readToken();
    if (end !== '\n') at += 1;
  }

  /** Reads a comment, a string, a block or one letter of code. */
  function readToken(): void {
    if (take(COMMENT) !== null) return;
    const start = at;
    const text = take(STRING);
    if (text !== null) return add(text[1] ?? '', start);
    const letter = source[at++] ?? '';
    const closing = CLOSING[letter];
    if (letter === '[') readMarkup(']');
    else if (closing !== undefined) readCode(closing);
  }

  readMarkup(null);
  return found;
}
