import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Reads rendered documents. Close it after use. */
export class PdfReader {
  private readonly child = fork(path.join(__dirname, 'pdf-text.mjs'), { serialization: 'advanced' });

  /** The text of each page in one line, without zero-width spaces, where long words may break. */
  async textOf(pdf: Buffer): Promise<string[]> {
    const answered = once(this.child, 'message');
    this.child.send(pdf);
    const [pages] = (await answered) as [string[]];
    return pages.map((page) => page.replaceAll('\u200b', '').replace(/\s+/g, ' '));
  }

  close(): void {
    this.child.disconnect();
  }
}
