import { printableText, findRiskyTexts, mapTexts } from './printable';

/** Printed in place of a text that crashes the renderer. */
const UNPRINTABLE = '[unprintable]';
/** The maximum number of renderings to find the crashing texts; enough to find one text among 4,000. */
const MAX_RENDERINGS = 24;

/** The renderer failed. The message can contain texts of the document. */
export class RenderingFailed extends Error {}

/** Rendering a document exceeded the limit of CPU time or memory. */
export class DocumentTooLarge extends RenderingFailed {}

type Data = Record<string, unknown>;
interface RenderResult {
  pdf: Buffer;
  /** The texts that were replaced by `[unprintable]`. */
  replaced: ReadonlySet<string>;
}

/**
 * Renders a document even if some texts crash the renderer. It first breaks long words, then renders without breaks, then replaces the
 * crashing texts.
 * @param render rejects with RenderingFailed if the renderer crashes
 * @param searchMs the time limit for finding the crashing texts; texts that were not tested in time are replaced too
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
  if (risky.length === 0 || !(failure instanceof RenderingFailed)) throw failure; // the text is not the cause
  const isTooLarge = failure instanceof DocumentTooLarge;
  const renderWithoutBreaks = (replaced: ReadonlySet<string>): Promise<Buffer> =>
    renderTexts((text) => (replaced.has(text) ? UNPRINTABLE : printableText(text, { breaks: false })));
  if (!isTooLarge) {
    const pdf = await renderWithoutBreaks(none).catch(nullIfFailed);
    if (pdf !== null) return { pdf, replaced: none };
  }
  return new CrashSearch(renderWithoutBreaks, isTooLarge ? 0 : searchMs).run(risky);
}

/** @throws errors that the texts did not cause */
function nullIfFailed(error: unknown): null {
  if (error instanceof RenderingFailed) return null;
  throw error;
}

/** Finds the crashing texts by bisection: splits a group that crashes the renderer in halves until a single text is left. */
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

  /** @param texts a group that crashes the renderer */
  async run(texts: readonly string[]): Promise<RenderResult> {
    const replaced = new Set(texts);
    this.best = { pdf: await this.render(replaced), replaced };
    await this.split(texts);
    return this.best;
  }

  /** @param group texts of which at least one crashes the renderer */
  private async split(group: readonly string[]): Promise<void> {
    if (group.length === 1) return;
    const middle = Math.ceil(group.length / 2);
    const [first, second] = [group.slice(0, middle), group.slice(middle)];
    const isFirstPrinted = await this.tryToPrint(first);
    if (!isFirstPrinted) await this.split(first);
    if (isFirstPrinted || !(await this.tryToPrint(second))) await this.split(second);
  }

  private async tryToPrint(group: readonly string[]): Promise<boolean> {
    if (this.best === null || this.renderings >= MAX_RENDERINGS || performance.now() > this.deadlineMs) return false;
    this.renderings += 1;
    const replaced = new Set(this.best.replaced);
    for (const text of group) replaced.delete(text);
    const pdf = await this.render(replaced).catch(nullIfFailed);
    if (pdf !== null) this.best = { pdf, replaced };
    return pdf !== null;
  }
}
