/** The decoder's private copy of a file. Its header may be changed for the libraries, and is restored for the next attempt. */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

const HEADER_BYTES = 16;

export class WorkingCopy {
  private constructor(
    readonly fd: number,
    /** The size of the original file. */
    readonly sizeBytes: number,
  ) {}

  static open(file: string, sizeBytes: number): WorkingCopy {
    const copy = new WorkingCopy(openSync(file, 'r+'), sizeBytes);
    if (fstatSync(copy.fd).size > sizeBytes) copy.restore();
    return copy;
  }

  /** Fewer bytes at the end of the file, and none for an offset outside of it. */
  read(offset: number, length: number): Buffer {
    if (!Number.isSafeInteger(offset) || offset < 0) return Buffer.alloc(0);
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(this.fd, bytes, 0, length, offset));
  }

  write(offset: number, bytes: Buffer): void {
    writeSync(this.fd, bytes, 0, bytes.length, offset);
  }

  /** Saves the header behind the file. @returns the offset of free space, which is even */
  saveHeader(): number {
    const savedAt = this.sizeBytes + (this.sizeBytes % 2);
    if (fstatSync(this.fd).size <= this.sizeBytes) this.write(savedAt, this.read(0, HEADER_BYTES));
    return savedAt + HEADER_BYTES;
  }

  private restore(): void {
    this.write(0, this.read(this.sizeBytes + (this.sizeBytes % 2), Math.min(HEADER_BYTES, this.sizeBytes)));
    ftruncateSync(this.fd, this.sizeBytes);
  }

  close(): void {
    closeSync(this.fd);
  }
}
