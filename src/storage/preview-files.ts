/** Previews on disk, one file each below `previews/<accountId>/`. They are replaced by a rename and not synced, because they can be created again. */
import { randomBytes } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import * as path from 'node:path';
import { previewKey } from './artwork-key';
import { nullIfMissing } from './durable-files';

export class PreviewFiles {
  constructor(private readonly dir: string) {}

  async write(key: string, bytes: Buffer): Promise<void> {
    const file = this.fileOf(key);
    const temp = `${file}.${randomBytes(8).toString('hex')}.part`;
    await nodeFs.mkdir(path.dirname(file), { recursive: true });
    try {
      await nodeFs.writeFile(temp, bytes, { mode: 0o600, flag: 'wx' });
      await nodeFs.rename(temp, file);
    } finally {
      await nodeFs.rm(temp, { force: true });
    }
  }

  read(key: string): Promise<Buffer | null> {
    return nullIfMissing(nodeFs.readFile(this.fileOf(key)));
  }

  /** Removes the preview, and partial files that a crash has left. */
  async remove(key: string): Promise<void> {
    const file = this.fileOf(key);
    const names = (await nullIfMissing(nodeFs.readdir(path.dirname(file)))) ?? [];
    const ownNames = names.filter((name) => name.startsWith(path.basename(file)));
    await Promise.all(ownNames.map((name) => nodeFs.rm(path.join(path.dirname(file), name), { force: true })));
  }

  private fileOf(key: string): string {
    return path.join(this.dir, previewKey(key));
  }
}
