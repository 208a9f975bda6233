import { useState } from 'react';
import { keepText, keptText } from '../../session/kept';
import { useSession } from '../../session/session';
import type { Difference } from './Compare';

const KEPT = 'price-draft';

interface Written {
  text: string;
  from: string;
}

export interface Draft extends Written {
  isTyped: boolean;
  /** Drafts that somebody had typed when another was taken, newest first. */
  before: readonly Written[];
}
const NONE: Draft = { text: '', from: '', isTyped: false, before: [] };

/** The draft after another text was taken: what was typed before is kept. */
export function taking(draft: Draft, { text, from }: Written): Draft {
  const isLost = draft.isTyped && draft.text.trim() !== '' && draft.text !== text;
  const before = isLost ? [{ text: draft.text, from: draft.from }, ...draft.before] : draft.before;
  return { text, from, isTyped: false, before };
}

function kept(tokenId: string): Draft {
  const text = keptText(tokenId, KEPT);
  try {
    return text === null ? NONE : draftOf(JSON.parse(text));
  } catch {
    return NONE;
  }
}

/** What was kept may be of another version of this page, or of anybody: only what is a draft of it is taken. */
function draftOf(stored: unknown): Draft {
  if (!isObject(stored)) return NONE;
  const before = Array.isArray(stored.before) ? stored.before.filter(isObject).map(writtenOf) : [];
  return { ...writtenOf(stored), isTyped: stored.isTyped === true, before };
}

function writtenOf({ text, from }: Record<string, unknown>): Written {
  return { text: typeof text === 'string' ? text : '', from: typeof from === 'string' ? from : '' };
}

export const forgetDraft = (tokenId: string): void => keepText(tokenId, KEPT, JSON.stringify(NONE));

/**
 * The draft of this person in this tab: it outlives leaving the screen, a refusal, loading the page anew and a session that runs out.
 * Signing out deletes it, and nobody else sees it.
 */
export function useDraft(): [Draft, (draft: Draft) => void] {
  const { tokenId } = useSession();
  const [draft, set] = useState(() => kept(tokenId));
  const change = (next: Draft): void => {
    keepText(tokenId, KEPT, JSON.stringify(next));
    set(next);
  };
  return [draft, change];
}

/** Many times what a price book has; beyond, a browser is busy with nothing else. */
const MAX_CHARACTERS = 2_000_000;
const MAX_DEPTH = 50;
export const TOO_LONG = 'This is longer than any price book: more than two million characters.';
export const isTooLong = (characters: number): boolean => characters > MAX_CHARACTERS;

/** Level by level: a browser has no room for thousands of calls within each other. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    level = level.flatMap((each): unknown[] => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return level.length > 0;
}

/** What was read of a draft's text: the book, from when it is to hold where the file says so; or what is wrong. */
type Read = { book: Readonly<Record<string, unknown>>; effectiveAt: string | null } | { problem: string };

/** Takes what the command line takes: a book alone, a book as it is shown, or `{ book, effectiveAt }`; and a whole answer of the API. */
export function readDraft(text: string): Read {
  if (text.trim() === '') return { problem: 'There is no draft yet: start from a book, choose a file, or paste one.' };
  if (isTooLong(text.length)) return { problem: TOO_LONG };
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    return { problem: `This is no JSON yet: ${error instanceof Error ? error.message : 'it cannot be read'}` };
  }
  if (isTooDeep(found)) return { problem: `This has lists within lists more than ${MAX_DEPTH} deep: no price book has.` };
  if (!isObject(found)) return { problem: 'A price book is an object in braces: { … }.' };
  const shown = isObject(found.data) ? found.data : found;
  if (!isObject(shown.book)) return { book: shown, effectiveAt: null };
  const isStored = 'version' in shown;
  return { book: shown.book, effectiveAt: !isStored && typeof shown.effectiveAt === 'string' ? shown.effectiveAt : null };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The rates in which a draft differs from a book, as the API tells those between two books. */
export function draftDifferences(before: unknown, after: unknown): Difference[] {
  const [old, present] = [leavesOf(before), leavesOf(after)];
  const same = (path: string, value: unknown): boolean => JSON.stringify(old.get(path)) === JSON.stringify(value);
  return [
    ...[...present]
      .filter(([path, value]) => !old.has(path) || !same(path, value))
      .map(([path, value]): Difference => ({
        path,
        change: old.has(path) ? 'changed' : 'added',
        before: old.get(path) ?? null,
        after: value,
      })),
    ...[...old]
      .filter(([path]) => !present.has(path))
      .map(([path, value]): Difference => ({ path, change: 'removed', before: value, after: null })),
  ];
}

/** Every value of a document by its dotted path; entries of a list go by their id; a list of plain values is one value. */
function leavesOf(value: unknown, path = '', leaves = new Map<string, unknown>()): Map<string, unknown> {
  const parts = partsOf(value);
  if (parts === null) leaves.set(path, value);
  else for (const [name, part] of parts) leavesOf(part, path === '' ? name : `${path}.${name}`, leaves);
  return leaves;
}

function partsOf(value: unknown): [string, unknown][] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) return Object.entries(value);
  if (!value.some((entry) => typeof entry === 'object' && entry !== null)) return null;
  return (value as unknown[]).map((entry, at): [string, unknown] => [idOf(entry) ?? String(at), entry]);
}

function idOf(entry: unknown): string | null {
  return typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string' ? entry.id : null;
}
