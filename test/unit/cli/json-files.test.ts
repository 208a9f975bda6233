import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readJsonFile } from '../../../src/cli/json-files';

describe('a JSON file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'trade-print-json-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (bytes: Buffer): string => {
    const file = path.join(folder, 'address.json');
    writeFileSync(file, bytes);
    return file;
  };

  const text = '{"name": "Zo\u00eb"}';
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark, as of Notepad', Buffer.from(`\ufeff${text}`)],
    ['UTF-16, as of PowerShell', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le')],
    ['the character set of older Windows programs', Buffer.from(text, 'latin1')],
  ])('is read in %s', (_what, bytes) => {
    expect(readJsonFile(write(bytes))).toEqual({ name: 'Zo\u00eb' });
  });

  it('is refused with its name if it is empty or missing', () => {
    const file = write(Buffer.alloc(0));
    expect(() => readJsonFile(file)).toThrow(`${file} is not valid JSON`);
    expect(() => readJsonFile(`${file}x`)).toThrow(`cannot read ${file}x`);
  });
});
