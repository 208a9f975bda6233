import { useEffect, useRef } from 'react';
import { readBadge } from './badge-code';
import { AIM_PREFIX, withoutAimPrefix } from './gs1';
import { isOrderNumber, readNumber } from './order-number';
import { stripInvisible } from './strip-invisible';

/** A barcode scanner types faster than a person: keys less than this apart are one scan, and a longer pause ends it. */
export const SCAN_GAP_MS = 80;
/** A scanner can read the label in front of it again, so the same text within this time is removed. */
const REPEAT_MS = 1500;
/** Keys less than this apart are one text, whether a person or a slow scanner types them. */
const TYPING_GAP_MS = 1000;
/** An Enter or Tab this soon after a scan that a pause has ended belongs to the scanner. */
const LATE_ENDING_MS = 300;
/** Before an Enter this soon, a scanner typed. People need longer from a letter to Enter. */
const FAST_GAP_MS = 50;
/** In a field for other text, fewer keys can be a fast person's. */
const MIN_KEYS_IN_FIELD = 6;
/** A label replaces typed text without an Enter only if it is at least this long. */
const MIN_LABEL_IN_FIELD = 8;
/** Outside of fields, fewer keys without an Enter are ignored. */
const MIN_KEYS = 4;
/** Numbers have five figures, so a scan that pauses within a number is not another number. */
const FIGURES = /\d{5}/;
/** The maximum of a scanned text. */
const MAX_LENGTH = 200;

/** Some scanners are set to send a mark first, and Code 39 has asterisks around its text. */
const MARKS = /^[^\p{L}\p{N}]+/u;
const LABEL = /^[\w ./:+#()-]{4,100}$/;

/** Whether a text can be the number on a carrier's label. */
export const isLabel = (text: string): boolean => LABEL.test(text) && !isOrderNumber(text) && readBadge(text) === null;

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Keys or inserted texts that follow each other at the pace of a scanner. */
interface Run {
  text: string;
  /** How many keys and inserted texts. A person can insert a long text at once, such as by dictation. */
  keys: number;
  /** Whether it is inserted text. One scanner sends either keys or inserted text. */
  isInserted: boolean;
  first: Event;
  /** The longest time between two of its keys. */
  longestGapMs: number;
  isInTextField: boolean;
  /** The text that was no number when a pause ended the scan. A busy page can handle the keys after it late. */
  refused: string;
  /** The field with the focus at its beginning, with the value before. The first key selects an option of a select. */
  field: { input: Field; value: string } | null;
}

let run: Run | null = null;
/** The text since the last Enter or long pause. A scan with a short pause is one text. */
let typed = '';
/** The `typed` that was handled when a pause ended the scan. */
let handled = '';
let lastMs = Number.NEGATIVE_INFINITY;
/** The time of the last Enter or Tab of a scanner. Some scanners send two. */
let endedMs = Number.NEGATIVE_INFINITY;
let lastScan = { text: '', ms: Number.NEGATIVE_INFINITY };
/** The key whose text the browser inserts next. Other inserted text has no key: an input method or a scanner sent it. */
let pendingKey: string | null = null;
let isComposing = false;
let composed = '';
let timer: ReturnType<typeof setTimeout> | undefined;

/** The first keys of all scans, because one scan can follow before a shortcut asks about the scan before. */
const firstKeys = new WeakSet<Event>();
/** Whether a scanner typed this key and others after it. */
export const isScanned = (key: KeyboardEvent): boolean => firstKeys.has(key);

type ScanHandler = (text: string) => void;

/** The last one handles a scan, such as the dialog above the page. */
const handlers: ScanHandler[] = [];

/** Handles scans while the component is shown: an order number in its usual spelling, or any other text. */
export function useScans(handler: ScanHandler, isActive = true): void {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => {
    if (!isActive) return undefined;
    const handle: ScanHandler = (text) => latest.current(text);
    handlers.push(handle);
    return () => void handlers.splice(handlers.indexOf(handle), 1);
  }, [isActive]);
}

const TEXT_INPUTS: ReadonlySet<string> = new Set(['text', 'email', 'url', 'tel', 'password', 'search']);

/** The field that only receives scans, because inserted text needs a field with the focus. Its text is never kept. */
export const isScanField = (target: unknown): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.dataset['scan'] === 'only';

export const isTextField = (target: unknown): target is HTMLInputElement | HTMLTextAreaElement =>
  (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && TEXT_INPUTS.has(target.type))) && !isScanField(target);

/**
 * A held key repeats as fast as a scanner, an input method sends keys of its own, and a shortcut can follow a typed key at once. With Alt,
 * the number pad types the code of a letter, which is inserted without a key.
 */
const isScannable = ({ key, code, repeat, isComposing: isComposed, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  !repeat &&
  !isComposed &&
  !ctrlKey &&
  !metaKey &&
  !(altKey && code.startsWith('Numpad')) &&
  (key.length === 1 || key === 'Enter' || (key === 'Tab' && !shiftKey));

/** The end of an element of a GS1 label. Scanners send this control character as Ctrl and ], within a scan. */
const SEPARATOR = '\u001d';
const isSeparator = ({ key, ctrlKey, altKey, metaKey, timeStamp }: KeyboardEvent): boolean =>
  key === ']' && ctrlKey && !altKey && !metaKey && run !== null && timeStamp - lastMs < SCAN_GAP_MS;

/**
 * Recognizes scans everywhere, also in dialogs, by their pace. They end with Enter, Tab or a pause, and arrive as keys or as inserted text.
 * Their Enter presses no button and sends no form. An order number is removed from the field that it was typed into, and passed to the handler,
 * as is every other scan in a field for something else. `data-scan` names the fields for scans: `label` takes the number on a carrier's label,
 * which replaces its text, `token` a sign-in token, and `name` no scan. A search keeps any text. An order number that is typed slowly outside of text fields
 * counts as a scan. `fallback` handles scans without another handler.
 */
export function startScans(fallback: ScanHandler): () => void {
  const deliver = (text: string): void => {
    const isRepeat = isRepeated(text);
    lastScan = { text, ms: lastMs };
    if (!isRepeat && text !== '') (handlers.at(-1) ?? fallback)(text);
  };
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => endPending(), SCAN_GAP_MS);
  };
  const endPending = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!isComposing) endByPause(deliver);
  };
  /** A busy page handles a key after a pause before the timer that ends the scan. */
  const endBefore = (event: Event): void => {
    if (timer !== undefined && event.timeStamp - lastMs >= SCAN_GAP_MS) endPending();
  };
  const separate = (event: KeyboardEvent): void => {
    add(SEPARATOR, event);
    wait();
    ignore(event);
  };
  const handleKey = (event: KeyboardEvent): void => {
    pendingKey = event.key.length === 1 && !event.isComposing ? event.key : null;
    if (event.key === 'Escape') forget();
    if (isSeparator(event)) return separate(event);
    if (!isScannable(event)) return;
    endBefore(event);
    if (event.key === 'Enter' || event.key === 'Tab') return endByKey(event, deliver);
    const begins = add(event.key, event);
    wait();
    if (begins || isTextField(event.target)) return;
    pendingKey = null;
    ignore(event);
    if (run !== null) restoreField(run);
    if (run !== null) run.field = null;
  };
  const handleInput = (event: InputEvent): void => {
    const text = insertedText(event);
    if (text === '' || !(isTextField(event.target) || isScanField(event.target))) return;
    endBefore(event);
    const isEnded = text.trimEnd() !== text && /[\n\r\t]/.test(text.at(-1) ?? '');
    add(isEnded ? text.trimEnd() : text, event);
    if (isScanField(event.target) && event.cancelable) event.preventDefault();
    if (isEnded) endByKey(event, deliver);
    else wait();
  };
  const handleComposition = ({ type }: Event): void => {
    isComposing = type === 'compositionstart';
    composed = '';
    if (!isComposing) wait();
  };
  const options = { capture: true };
  addEventListener('keydown', handleKey, options);
  addEventListener('beforeinput', handleInput, options);
  addEventListener('compositionstart', handleComposition, options);
  addEventListener('compositionend', handleComposition, options);
  return () => {
    clearTimeout(timer);
    removeEventListener('keydown', handleKey, options);
    removeEventListener('beforeinput', handleInput, options);
    removeEventListener('compositionstart', handleComposition, options);
    removeEventListener('compositionend', handleComposition, options);
  };
}

/** Escape ends what was typed before it. */
function forget(): void {
  run = null;
  typed = '';
  handled = '';
  clearTimeout(timer);
  timer = undefined;
}

/** The text that is inserted without a key, such as by a scanner of a tablet. */
function insertedText({ inputType, data }: InputEvent): string {
  if (data === null) return '';
  if (inputType === 'insertCompositionText') {
    const added = data.startsWith(composed) ? data.slice(composed.length) : data;
    composed = data;
    return added;
  }
  const isOfKey = data === pendingKey;
  pendingKey = null;
  return inputType === 'insertText' && !isOfKey ? data : '';
}

/** Adds text to the current scan, or begins one. @returns whether it begins one */
function add(text: string, event: Event): boolean {
  const gapMs = event.timeStamp - lastMs;
  lastMs = event.timeStamp;
  const isInserted = event instanceof InputEvent;
  const isComplete = isInserted && text.length >= MIN_KEYS; // the next such text is another scan
  if (gapMs >= TYPING_GAP_MS || run?.isInserted !== isInserted || isComplete) typed = '';
  typed = limited(typed + text);
  handled = '';
  if (run?.isInserted === isInserted && gapMs < SCAN_GAP_MS && !isComplete) {
    if (run.text.length <= 1) firstKeys.add(run.first);
    run.text = limited(run.text + text);
    run.keys += 1;
    run.longestGapMs = Math.max(run.longestGapMs, gapMs);
    return false;
  }
  const { target } = event;
  run = {
    text: limited(text),
    keys: 1,
    isInserted,
    first: event,
    longestGapMs: 0,
    isInTextField: isTextField(target),
    refused: '',
    field: hasValue(target) ? { input: target, value: isScanField(target) ? '' : target.value } : null,
  };
  return true;
}

const hasValue = (target: unknown): target is Field => isTextField(target) || isScanField(target) || target instanceof HTMLSelectElement;

/** A longer text is refused, so its end does not matter. */
const limited = (text: string): string => text.slice(0, MAX_LENGTH + 1);

/** A scanner without an ending has stopped. A person can also have stopped, so in fields only clear cases are scans. */
function endByPause(deliver: ScanHandler): void {
  if (run === null) return;
  const { text, field, isInTextField, isInserted } = run;
  if (isInserted && field?.input.type === 'search') return; // a person can paste or dictate it
  const number = readScannedNumber(text);
  const isWhole = number !== null && FIGURES.test(number);
  if (isScanField(field?.input)) setValue(field.input, '');
  if (isInTextField && !isWhole && !isMisplaced(run)) return keepLabel(run);
  if (!isInTextField && (text.length < MIN_KEYS || (number !== null && !isWhole))) return;
  if (isInTextField) restoreField(run);
  if (text !== run.refused) deliver(number ?? clean(text));
  run.refused = number === null ? text : '';
  handled = typed;
}

/** A label in its field replaces the text before it. A field gets no separators from the browser. */
function keepLabel({ text, field }: Run): void {
  if (field?.input.dataset['scan'] !== 'label' || text.length < MIN_LABEL_IN_FIELD) return;
  if (field.value !== '' || text.includes(SEPARATOR)) setValue(field.input, clean(text));
}

/** Whether a scan without an ending is in a field for scans, and does not belong there. */
function isMisplaced({ text, keys, field }: Run): boolean {
  switch (field?.input.dataset['scan']) {
    case 'label':
      return keys >= MIN_LABEL_IN_FIELD && !isLabel(clean(text));
    case 'token':
      return keys >= MIN_KEYS_IN_FIELD && !isToken(field.input.value);
    default:
      return false;
  }
}

const isToken = (text: string): boolean => text.startsWith('lps_');

/** An Enter or Tab, or inserted text with one at its end. It is a person's unless it follows a scan at once. */
function endByKey(event: KeyboardEvent | InputEvent, deliver: ScanHandler): void {
  if (run?.isInTextField === true && event.target !== run.field?.input) return forget(); // a person has moved on
  const ended = run;
  const gapMs = event.timeStamp - lastMs;
  const isInField = isTextField(event.target);
  const isHandled = handled !== '' && handled === typed;
  const scanned = ended === null || gapMs >= SCAN_GAP_MS ? null : readScannedNumber(ended.text, isInField);
  const number = scanned ?? (isInField || isHandled || gapMs >= TYPING_GAP_MS ? null : readScannedNumber(typed));
  const text = number ?? clean(typed);
  run = null;
  typed = '';
  handled = '';
  clearTimeout(timer);
  timer = undefined;
  if (event.timeStamp - endedMs < SCAN_GAP_MS || (isHandled && gapMs < LATE_ENDING_MS)) return ignoreEnding(event);
  if (isScanField(event.target)) setValue(event.target, '');
  if (ended === null || (gapMs >= SCAN_GAP_MS && number === null)) return;
  if (ended.text.length <= 1) firstKeys.add(ended.first);
  const use = isInField && number === null ? fieldUseOf(ended, text, gapMs) : 'none';
  if (use !== 'typing') ignoreEnding(event);
  if (use === 'none') {
    restoreField(ended);
    return deliver(text);
  }
  if (use === 'label') setValue(ended.field?.input, text);
  lastScan = { text, ms: lastMs };
}

/** What a scan is to the field that it was typed into: its `label`, `typing` of a person, `unclear` and left there, or `none` of these. */
function fieldUseOf({ keys, isInserted, field, longestGapMs }: Run, text: string, gapMs: number): 'label' | 'typing' | 'unclear' | 'none' {
  const { input } = field ?? {};
  const isFast = gapMs < FAST_GAP_MS && longestGapMs < FAST_GAP_MS;
  const isScan = isFast || keys >= MIN_KEYS_IN_FIELD;
  if (keys > MAX_LENGTH || (isFast && isRepeated(text))) return 'none';
  if (input?.type === 'search') return 'typing';
  switch (input?.dataset['scan']) {
    case 'label':
      if (!isScan) return 'unclear';
      return isLabel(text) ? 'label' : 'none';
    case 'token':
      return isScan && !isToken(input.value) ? 'none' : 'typing';
    default:
      if (keys >= MIN_KEYS_IN_FIELD) return 'none';
      // A person does not press Enter at once after dictating.
      if (input?.dataset['scan'] === 'name' && isFast && isInserted && text.length >= MIN_KEYS_IN_FIELD) return 'none';
      return isFast && keys > 1 ? 'unclear' : 'typing';
  }
}

const isRepeated = (text: string): boolean => text === lastScan.text && lastMs - lastScan.ms < REPEAT_MS;

/** Separators of GS1 elements are shown as spaces, which `proposeCarrier` reads. */
const visible = (text: string): string => stripInvisible(text.replaceAll(SEPARATOR, ' ')).trim();
const clean = (text: string): string => withoutAimPrefix(visible(text)).trim();

/** In fields, a number without a hyphen needs its five figures. Null for other text. */
function readScannedNumber(text: string, isInField = false): string | null {
  const cleaned = visible(text).replace(AIM_PREFIX, '').replace(MARKS, '');
  const plain = cleaned.endsWith('*') ? cleaned.slice(0, -1) : cleaned;
  const number = readNumber('order', plain, null);
  return number !== null && (!isInField || isOrderNumber(plain) || FIGURES.test(number)) ? number : null;
}

function restoreField({ field }: Run): void {
  if (field !== null) setValue(field.input, field.value);
}

function ignore(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function ignoreEnding(event: Event): void {
  endedMs = event.timeStamp;
  ignore(event);
}

/** Sets the value as if a person entered it, because React ignores other changes. */
export function setValue(input: Field | null | undefined, value: string): void {
  if (input === null || input === undefined || input.value === value) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input) as object, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
