import { printableText, findRiskyTexts, mapTexts } from './printable';

/** Printed in place of a text that crashes the renderer. */
const UNPRINTABLE = '[unprintable]';
/** Renderings of one search; enough to find one crashing text among 4,000. */
const MAX_RENDERINGS = 24;

/** A document exceeded its limit of time or memory. */
export class DocumentTooLarge extends Error {}

type Data = Record<string, unknown>;
interface RenderResult {
  pdf: Buffer;
  /** The texts that are printed as [unprintable]. */
  replaced: ReadonlySet<string>;
}

/**
 * Renders a document with any texts: first with breaks in long words, then without them, then with the crashing texts replaced.
 * @param render rejects if the renderer crashes
 * @param searchMs the time for finding the crashing texts; untested texts stay replaced
 */
export async function renderWithFallbacks<D extends Data>(
  data: D,
  render: (data: D) => Promise<Buffer>,
  searchMs: number,
): Promise<RenderResult> {
  const renderTexts = (change: (text: string) => string): Promise<Buffer> => render(mapTexts(data, change) as D);
  const none: ReadonlySet<string> = new Set();
  let failure: unknown;
  try {
    return { pdf: await renderTexts((text) => printableText(text)), replaced: none };
  } catch (error) {
    failure = error;
  }
  const risky = findRiskyTexts(data);
  if (risky.length === 0) throw failure;
  const isTooLarge = failure instanceof DocumentTooLarge;
  const renderUnbroken = (replaced: ReadonlySet<string>): Promise<Buffer> =>
    renderTexts((text) => (replaced.has(text) ? UNPRINTABLE : printableText(text, { breaks: false })));
  if (!isTooLarge) {
    const pdf = await renderUnbroken(none).catch(() => null);
    if (pdf !== null) return { pdf, replaced: none };
  }
  return new CrashSearch(renderUnbroken, isTooLarge ? 0 : searchMs).run(risky);
}

/** Prints as many texts as it can: it halves a group that crashes the renderer, down to single texts. */
class CrashSearch {
  private readonly deadlineMs: number;
  private renderings = 0;
  private best: RenderResult | null = null;

  constructor(
    private readonly render: (replaced: ReadonlySet<string>) => Promise<Buffer>,
    searchMs: number,
  ) {
    this.deadlineMs = performance.now() + searchMs;
  }

  /** @param texts crash the renderer if all of them are printed */
  async run(texts: readonly string[]): Promise<RenderResult> {
    const replaced = new Set(texts);
    this.best = { pdf: await this.render(replaced), replaced };
    await this.split(texts);
    return this.best;
  }

  /** @param group crashes the renderer if all of it is printed */
  private async split(group: readonly string[]): Promise<void> {
    if (group.length === 1) return;
    const middle = Math.ceil(group.length / 2);
    const [first, second] = [group.slice(0, middle), group.slice(middle)];
    const isFirstPrinted = await this.print(first);
    if (!isFirstPrinted) await this.split(first);
    if (isFirstPrinted || !(await this.print(second))) await this.split(second);
  }

  private async print(group: readonly string[]): Promise<boolean> {
    if (this.best === null || this.renderings >= MAX_RENDERINGS || performance.now() > this.deadlineMs) return false;
    this.renderings += 1;
    const replaced = new Set(this.best.replaced);
    for (const text of group) replaced.delete(text);
    const pdf = await this.render(replaced).catch(() => null);
    if (pdf !== null) this.best = { pdf, replaced };
    return pdf !== null;
  }
}
