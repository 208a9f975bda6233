import { printableText, riskyTexts, withTexts } from './printable';

/** Stands where a text was that crashes the renderer. */
const UNPRINTABLE = '[unprintable]';
/** The most renderings in search of the texts that crash the renderer: enough to find one among 4,000. */
const MOST_RENDERINGS = 24;

/** A document took more time or memory than it may. */
export class DocumentTooLarge extends Error {}

type Data = Record<string, unknown>;
interface Rendered {
  pdf: Buffer;
  /** The texts that stand there as [unprintable]. */
  replaced: ReadonlySet<string>;
}

/**
 * Renders whatever the texts are: with breaks in long words; if that fails without breaks; if that fails with the texts replaced that cause it.
 * @param render rejects where it crashes
 * @param searchMs how long the texts are searched for; those that were not yet tried then stay replaced
 */
export async function renderAnyText<D extends Data>(data: D, render: (data: D) => Promise<Buffer>, searchMs: number): Promise<Rendered> {
  const printed = (text: (text: string) => string): Promise<Buffer> => render(withTexts(data, text) as D);
  const none: ReadonlySet<string> = new Set();
  let failure: unknown;
  try {
    return { pdf: await printed((text) => printableText(text)), replaced: none };
  } catch (error) {
    failure = error;
  }
  const risky = riskyTexts(data);
  if (risky.length === 0) throw failure;
  const isTooLarge = failure instanceof DocumentTooLarge;
  const unbroken = (replaced: ReadonlySet<string>): Promise<Buffer> =>
    printed((text) => (replaced.has(text) ? UNPRINTABLE : printableText(text, { breaks: false })));
  if (!isTooLarge) {
    const pdf = await unbroken(none).catch(() => null);
    if (pdf !== null) return { pdf, replaced: none };
  }
  return new Search(unbroken, isTooLarge ? 0 : searchMs).over(risky);
}

/** Shows as many texts again as it can: each half of a group that crashes the renderer, down to single texts. */
class Search {
  private readonly until: number;
  private renderings = 0;
  private best: Rendered | null = null;

  constructor(
    private readonly render: (replaced: ReadonlySet<string>) => Promise<Buffer>,
    searchMs: number,
  ) {
    this.until = performance.now() + searchMs;
  }

  /** @param texts those that crash the renderer when all are shown */
  async over(texts: readonly string[]): Promise<Rendered> {
    const replaced = new Set(texts);
    this.best = { pdf: await this.render(replaced), replaced };
    await this.split(texts);
    return this.best;
  }

  /** @param group fails when it is shown */
  private async split(group: readonly string[]): Promise<void> {
    if (group.length === 1) return;
    const middle = Math.ceil(group.length / 2);
    const [first, second] = [group.slice(0, middle), group.slice(middle)];
    const isFirstShown = await this.show(first);
    if (!isFirstShown) await this.split(first);
    if (isFirstShown || !(await this.show(second))) await this.split(second);
  }

  private async show(group: readonly string[]): Promise<boolean> {
    if (this.best === null || this.renderings >= MOST_RENDERINGS || performance.now() > this.until) return false;
    this.renderings += 1;
    const replaced = new Set(this.best.replaced);
    for (const text of group) replaced.delete(text);
    const pdf = await this.render(replaced).catch(() => null);
    if (pdf !== null) this.best = { pdf, replaced };
    return pdf !== null;
  }
}
