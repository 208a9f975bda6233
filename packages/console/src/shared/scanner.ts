/** A barcode scanner types like a keyboard, but faster than a person: keys this close together are one scan. */
export const SCAN_GAP_MS = 50;

let typedAt = Number.NEGATIVE_INFINITY;

/** `timeStamp` of the last key that a scanner could have sent. */
export const lastTypedAt = (): number => typedAt;

/** Keys that a scanner sends. A key that is held down repeats as fast, and an input method sends keys of its own. */
const isScannable = ({ key, repeat, isComposing }: KeyboardEvent): boolean =>
  !repeat && !isComposing && (key.length === 1 || key === 'Enter');

const TEXT_INPUTS: ReadonlySet<string> = new Set(['text', 'email', 'url', 'tel', 'password']);

/** A text field takes the text of a scan, where the person sees it. Only a search field takes Enter too. */
function isTakenBy(target: EventTarget | null, key: string): boolean {
  if (target instanceof HTMLInputElement) return target.type === 'search' || (key !== 'Enter' && TEXT_INPUTS.has(target.type));
  return target instanceof HTMLTextAreaElement && key !== 'Enter';
}

function ignoreScan(event: KeyboardEvent): void {
  if (!isScannable(event)) return;
  const isScan = event.timeStamp - typedAt < SCAN_GAP_MS;
  typedAt = event.timeStamp;
  if (!isScan || isTakenBy(event.target, event.key)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Ignores scans outside of text fields, so that they press no button and send no form. @returns stops it */
export function ignoreScans(): () => void {
  addEventListener('keydown', ignoreScan, { capture: true });
  return () => removeEventListener('keydown', ignoreScan, { capture: true });
}
