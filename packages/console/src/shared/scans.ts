import { useEffect, useRef } from 'react';
import { readBadge } from './badge-code';
import { isOrderNumber, readNumber } from './order-number';

/** A barcode scanner types faster than a person: keys less than this apart are one scan. */
export const SCAN_GAP_MS = 50;
/** A scanner can read the label in front of it again, so the same text within this time is removed. */
const REPEAT_MS = 1500;

/** Keys less than this apart are one text, whether a person or a slow scanner types them. */
const TYPING_GAP_MS = 1000;
/** Some scanners send the kind of barcode first, such as `]C1`. */
const AIM_PREFIX = /^\][a-z]\d/i;

let lastKey: KeyboardEvent | null = null;
/** The keys of the current scan. */
let scanned = '';
/** The keys since the last Enter or pause. A scan with a short pause is one text. */
let typed = '';
let lastScan = { text: '', time: Number.NEGATIVE_INFINITY };
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** The field with the focus when the scan began, with its value before the scan. The first key selects an option of a select. */
let field: { input: Field; value: string } | null = null;

/** The first keys of all scans, because one scan can follow before a shortcut asks about the scan before. */
const firstKeys = new WeakSet<KeyboardEvent>();
/** Whether a scanner typed this key and others after it. */
export const isScanned = (key: KeyboardEvent): boolean => firstKeys.has(key);

type ScanHandler = (text: string) => void;

/** The last one handles a scan, such as the dialog above the page. */
const handlers: ScanHandler[] = [];

/** Handles scans while the component is shown: an order number in capitals, or other text that was scanned outside of text fields. */
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

/** A held key repeats as fast as a scanner, an input method sends keys of its own, and a shortcut can follow a typed key at once. */
const isScannable = ({ key, repeat, isComposing, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  !repeat && !isComposing && !ctrlKey && !metaKey && (key.length === 1 || key === 'Enter');

const TEXT_INPUTS: ReadonlySet<string> = new Set(['text', 'email', 'url', 'tel', 'password', 'search']);

const isTextField = (target: unknown): target is Field =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && TEXT_INPUTS.has(target.type));

/**
 * Recognizes scans everywhere, also in dialogs. The Enter of a scan presses no button and sends no form. A text field keeps a scanned text,
 * except an order number, which is removed again and passed to the handler. With `data-scan="replace"`, the scan replaces its text. An order
 * number that is typed slowly outside of text fields counts as a scan, with any hyphen or none. `fallback` handles scans without another handler.
 */
export function startScans(fallback: ScanHandler): () => void {
  const handleKey = (event: KeyboardEvent): void => {
    if (!isScannable(event)) return;
    const gap = event.timeStamp - (lastKey?.timeStamp ?? Number.NEGATIVE_INFINITY);
    if (gap < SCAN_GAP_MS && scanned.length <= 1 && lastKey !== null) firstKeys.add(lastKey);
    lastKey = event;
    const typedNumber =
      event.key === 'Enter' && gap < TYPING_GAP_MS && !isTextField(event.target) ? readNumber('order', typed, null) : null;
    const isTypedNumber = typedNumber !== null;
    if (isTypedNumber) scanned = typedNumber;
    if (gap >= TYPING_GAP_MS) typed = '';
    if (event.key !== 'Enter') typed += event.key;
    if (gap >= SCAN_GAP_MS && !isTypedNumber) begin(event);
    else if (event.key === 'Enter') end(event, fallback);
    else {
      scanned += event.key;
      if (isTextField(event.target)) return;
      ignore(event);
      restoreField();
    }
  };
  addEventListener('keydown', handleKey, { capture: true });
  return () => removeEventListener('keydown', handleKey, { capture: true });
}

function begin({ key, target }: KeyboardEvent): void {
  scanned = key === 'Enter' ? '' : key;
  if (key === 'Enter') typed = '';
  field = isTextField(target) || target instanceof HTMLSelectElement ? { input: target, value: target.value } : null;
}

function end(event: KeyboardEvent, fallback: ScanHandler): void {
  const text = (isOrderNumber(scanned.replace(AIM_PREFIX, '')) ? scanned : typed).replace(AIM_PREFIX, '');
  scanned = '';
  typed = '';
  const isRepeat = text === lastScan.text && event.timeStamp - lastScan.time < REPEAT_MS;
  if (text !== '') lastScan = { text, time: event.timeStamp };
  const isBadge = readBadge(text) !== null;
  if (field !== null && !isRepeat && !isOrderNumber(text) && !isBadge) {
    if (field.input.dataset['scan'] === 'replace') setValue(field.input, text);
    if (field.input.type !== 'search') ignore(event);
    return;
  }
  ignore(event);
  restoreField();
  if (isRepeat || text === '') return;
  if (isOrderNumber(text)) (handlers.at(-1) ?? fallback)(readNumber('order', text, null) ?? text);
  else handlers.at(-1)?.(text);
}

function restoreField(): void {
  if (field !== null) setValue(field.input, field.value);
  field = null;
}

function ignore(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Sets the value as if a person entered it, because React ignores other changes. */
function setValue(input: Field, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input) as object, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
