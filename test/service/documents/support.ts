import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { inflateSync } from 'node:zlib';

/** Reads rendered documents. Close it after use. */
export class PdfReader {
  private readonly child = fork(path.join(__dirname, 'pdf-text.mjs'), { serialization: 'advanced' });

  /** The text of each page in one line, without zero-width spaces, where long words may break. */
  async textOf(pdf: Buffer): Promise<string[]> {
    const { pages } = await this.read(pdf);
    return pages.map((page) => page.replaceAll('\u200b', '').replace(/\s+/g, ' '));
  }

  /** The texts that extend beyond the right margin. */
  textInMarginOf = async (pdf: Buffer): Promise<string[]> => (await this.read(pdf)).inMargin;

  private async read(pdf: Buffer): Promise<{ pages: string[]; inMargin: string[] }> {
    const answered = once(this.child, 'message');
    this.child.send(pdf);
    return ((await answered) as [{ pages: string[]; inMargin: string[] }])[0];
  }

  close(): void {
    this.child.disconnect();
  }
}

/** How many pictures or barcodes each page of a rendered document draws. */
export function drawingsPerPage(pdf: Buffer): number[] {
  const starts = [...pdf.toString('latin1').matchAll(/>>\s*stream\r?\n/g)].map(({ index, 0: start }) => index + start.length);
  const contents = starts.flatMap((at) => {
    try {
      return inflateSync(pdf.subarray(at)).toString('latin1');
    } catch {
      return []; // not compressed
    }
  });
  return contents.filter((content) => /\bBT\b/.test(content)).map((content) => content.match(/ Do\b/g)?.length ?? 0);
}
