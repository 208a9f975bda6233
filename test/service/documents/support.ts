import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Reads what is set; to be closed. */
export class PdfReader {
  private readonly child = fork(path.join(__dirname, 'pdf-text.mjs'), { serialization: 'advanced' });

  /** What stands on each page, in one line; spaces of no width, where long words may break, are left out. */
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
