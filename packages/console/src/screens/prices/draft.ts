import { useState } from 'react';
import { storeText, storedText } from '../../session/stored-text';
import { useSession } from '../../session/session';
import type { Difference } from './Compare';
import { leavesOf } from './layout';

/** A text of the person in this tab. It survives a reload and the end of the session; signing out deletes it. */
function useStoredText(key: string): [string, (text: string) => void] {
  const { tokenId } = useSession();
  const [text, setText] = useState(() => storedText(tokenId, key) ?? '');
  const change = (next: string): void => {
    storeText(tokenId, key, next);
    setText(next);
  };
  return [text, change];
}

/** The person's draft, and the last edited draft that a book or a file replaced. */
export function useDraft() {
  const [text, setText] = useStoredText('price-draft');
  const [previous, setPrevious] = useStoredText('previous price-draft');
  const [isEdited, setEdited] = useState(text !== '');
  const edit = (next: string): void => {
    setText(next);
    setEdited(next !== '');
  };
  const replace = (next: string): void => {
    if (isEdited) setPrevious(text);
    setText(next);
    setEdited(false);
  };
  const restore = (): void => {
    setPrevious(isEdited ? text : '');
    edit(previous);
  };
  return { text, hasPrevious: previous !== '', edit, replace, restore };
}

/** Many times the size of a price book. Longer texts would block the browser. */
const MAX_CHARACTERS = 2_000_000;
const MAX_DEPTH = 50;
export const TOO_LONG = 'The draft has more than 2 million characters. Shorten it.';
export const isTooLong = (characters: number): boolean => characters > MAX_CHARACTERS;

/** Checks level by level, because recursion could overflow the stack. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    level = level.flatMap((each): unknown[] => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return level.length > 0;
}

/** The book with the start that a file sets, or what is wrong. */
type ParsedDraft = { book: Readonly<Record<string, unknown>>; effectiveAt: string | null } | { problem: string };

/** Accepts a book, `{ book, effectiveAt }`, and a book from the API or the command line. */
export function parseDraft(text: string): ParsedDraft {
  if (text.trim() === '') return { problem: 'Enter a price book.' };
  if (isTooLong(text.length)) return { problem: TOO_LONG };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : 'unreadable'}` };
  }
  if (isTooDeep(value)) return { problem: `The draft has more than ${MAX_DEPTH} nested levels. Remove some.` };
  if (!isObject(value)) return { problem: 'A price book must be a JSON object: { … }' };
  const document = isObject(value.data) ? value.data : value;
  if (!isObject(document.book)) return { book: document, effectiveAt: null };
  const isStored = 'version' in document;
  return { book: document.book, effectiveAt: !isStored && typeof document.effectiveAt === 'string' ? document.effectiveAt : null };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The differences of a draft from a book, as the API returns them for two books. */
export function draftDifferences(before: unknown, after: unknown): Difference[] {
  const [old, current] = [valuesByPath(before), valuesByPath(after)];
  const paths = [...new Set([...current.keys(), ...old.keys()])];
  return paths
    .filter((path) => JSON.stringify(old.get(path)) !== JSON.stringify(current.get(path)))
    .map((path) => ({
      path,
      change: !old.has(path) ? 'added' : current.has(path) ? 'changed' : 'removed',
      before: old.get(path) ?? null,
      after: current.get(path) ?? null,
    }));
}

const valuesByPath = (book: unknown): ReadonlyMap<string, unknown> =>
  new Map(leavesOf(book).map(({ path, value }) => [path.join('.'), value]));
