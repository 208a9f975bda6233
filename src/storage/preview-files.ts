/** Previews on disk, one file each below `previews/<accountId>/`. They are replaced by a rename and not synced, because they can be created again. */
import { randomBytes } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import * as path from 'node:path';
import type { PreviewSize } from '../domain/inspection';
import { previewKey, previewKeys } from './artwork-key';
import { nullIfMissing } from './durable-files';

export class PreviewFiles {
  constructor(private readonly dir: string) {}

  async write(key: string, size: PreviewSize, bytes: Buffer): Promise<void> {
    const file = this.fileOf(previewKey(key, size));
    const temp = `${file}.${randomBytes(8).toString('hex')}.part`;
    await nodeFs.mkdir(path.dirname(file), { recursive: true });
    try {
      await nodeFs.writeFile(temp, bytes, { mode: 0o600, flag: 'wx' });
      await nodeFs.rename(temp, file);
    } finally {
      await nodeFs.rm(temp, { force: true });
    }
  }

  read(key: string, size: PreviewSize): Promise<Buffer | null> {
    return nullIfMissing(nodeFs.readFile(this.fileOf(previewKey(key, size))));
  }

  /** Removes the previews of an artwork, and partial files that a crash has left. */
  async remove(key: string): Promise<void> {
    const ownNames = previewKeys(key).map((own) => path.basename(own));
    const folder = path.dirname(this.fileOf(previewKey(key, 'large')));
    const names = (await nullIfMissing(nodeFs.readdir(folder))) ?? [];
    const removable = names.filter((name) => ownNames.some((own) => name.startsWith(own)));
    await Promise.all(removable.map((name) => nodeFs.rm(path.join(folder, name), { force: true })));
  }

  private fileOf(key: string): string {
    return path.join(this.dir, key);
  }
}
