import { useState } from 'react';
import { storeText, storedText } from '../../session/stored-text';
import { useSession } from '../../session/session';
import type { Difference } from './Compare';

const STORAGE_KEY = 'price-draft';

interface DraftText {
  text: string;
  from: string;
}

export interface Draft extends DraftText {
  isEdited: boolean;
  /** Edited drafts that were replaced, newest first. */
  earlier: readonly DraftText[];
}
const EMPTY: Draft = { text: '', from: '', isEdited: false, earlier: [] };

/** Replaces the text. An edited text becomes an earlier draft. */
export function replaceDraft(draft: Draft, { text, from }: DraftText): Draft {
  const keepsText = draft.isEdited && draft.text.trim() !== '' && draft.text !== text;
  const earlier = keepsText ? [{ text: draft.text, from: draft.from }, ...draft.earlier] : draft.earlier;
  return { text, from, isEdited: false, earlier };
}

function loadDraft(tokenId: string): Draft {
  const text = storedText(tokenId, STORAGE_KEY);
  try {
    return text === null ? EMPTY : draftOf(JSON.parse(text));
  } catch {
    return EMPTY;
  }
}

/** The stored value can be of another version of this page. */
function draftOf(stored: unknown): Draft {
  if (!isObject(stored)) return EMPTY;
  const earlier = Array.isArray(stored.earlier) ? stored.earlier.filter(isObject).map(draftTextOf) : [];
  return { ...draftTextOf(stored), isEdited: stored.isEdited === true, earlier };
}

function draftTextOf({ text, from }: Record<string, unknown>): DraftText {
  return { text: typeof text === 'string' ? text : '', from: typeof from === 'string' ? from : '' };
}

export const deleteDraft = (tokenId: string): void => storeText(tokenId, STORAGE_KEY, JSON.stringify(EMPTY));

/** The person's draft in this tab. It survives a reload and the end of the session; signing out deletes it. */
export function useDraft(): [Draft, (draft: Draft) => void] {
  const { tokenId } = useSession();
  const [draft, set] = useState(() => loadDraft(tokenId));
  const change = (next: Draft): void => {
    storeText(tokenId, STORAGE_KEY, JSON.stringify(next));
    set(next);
  };
  return [draft, change];
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
  const [old, current] = [leavesOf(before), leavesOf(after)];
  const same = (path: string, value: unknown): boolean => JSON.stringify(old.get(path)) === JSON.stringify(value);
  return [
    ...[...current]
      .filter(([path, value]) => !old.has(path) || !same(path, value))
      .map(([path, value]): Difference => ({
        path,
        change: old.has(path) ? 'changed' : 'added',
        before: old.get(path) ?? null,
        after: value,
      })),
    ...[...old]
      .filter(([path]) => !current.has(path))
      .map(([path, value]): Difference => ({ path, change: 'removed', before: value, after: null })),
  ];
}

/** The values of a document by their dotted paths. Entries of a list have their id in it; a list of plain values is one value. */
function leavesOf(value: unknown, path = '', leaves = new Map<string, unknown>()): Map<string, unknown> {
  const entries = entriesOf(value);
  if (entries === null) leaves.set(path, value);
  else for (const [name, entry] of entries) leavesOf(entry, path === '' ? name : `${path}.${name}`, leaves);
  return leaves;
}

function entriesOf(value: unknown): [string, unknown][] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) return Object.entries(value);
  if (!value.some((entry) => typeof entry === 'object' && entry !== null)) return null;
  return (value as unknown[]).map((entry, index): [string, unknown] => [idOf(entry) ?? String(index), entry]);
}

function idOf(entry: unknown): string | null {
  return typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string' ? entry.id : null;
}
