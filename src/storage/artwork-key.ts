/**
 * Storage keys: `artwork/<accountId>/<uploadId>.<extension>`, and for previews `previews/<accountId>/<uploadId>.webp` (large) and
 * `previews/<accountId>/<uploadId>.320.webp` (small). All characters are safe in URL paths and file names, so keys need no escaping.
 */
import { PREVIEW_SIZES, type PreviewSize } from '../domain/inspection';
import type { UploadContentType } from '../domain/limits';

/** The extensions of each type. The first one is used if a filename has none of them. */
const EXTENSIONS: Record<UploadContentType, readonly [string, ...string[]]> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/tiff': ['tiff', 'tif'],
  'image/heic': ['heic', 'heif'],
};
const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set(Object.values(EXTENSIONS).flat());
const KEY_PATTERN = /^artwork\/([A-Za-z0-9_-]{1,64})\/([A-Za-z0-9_-]{1,64})\.([a-z]{3,4})$/;
const IDENTIFIER_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The key of a new upload. Only the filename's extension is used (specification "POST /uploads").
 * @throws RangeError if an id contains other characters
 */
export function artworkKey(input: { accountId: string; uploadId: string; filename: string; contentType: UploadContentType }): string {
  for (const id of [input.accountId, input.uploadId]) {
    if (!IDENTIFIER_PATTERN.test(id)) throw new RangeError('an identifier in an artwork key may hold only letters, digits, _ and -');
  }
  return `artwork/${input.accountId}/${input.uploadId}.${extensionFor(input.filename, input.contentType)}`;
}

function extensionFor(filename: string, contentType: UploadContentType): string {
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  return filename.includes('.') && KNOWN_EXTENSIONS.has(extension) ? extension : EXTENSIONS[contentType][0];
}

export interface ArtworkKeyParts {
  accountId: string;
  uploadId: string;
  extension: string;
}

/** The parts of a valid key, or null. Does not decode: `%2e`, `%2f`, `%00` and `..` are invalid. */
export function parseArtworkKey(key: string): ArtworkKeyParts | null {
  const [, accountId, uploadId, extension] = KEY_PATTERN.exec(key) ?? [];
  return accountId && uploadId && extension ? { accountId, uploadId, extension } : null;
}

const CONTENT_PATTERN = /^(artwork\/[A-Za-z0-9_-]{1,64}\/[A-Za-z0-9_-]{1,64})\.([0-9a-f]{64})\.([a-z]{3,4})$/;

/** The key of a file in the embedded store, which contains the file's SHA-256: `artwork/<accountId>/<uploadId>.<sha256>.<extension>`. */
export function contentKey(key: string, checksum: string): string {
  const end = key.lastIndexOf('.');
  return `${key.slice(0, end)}.${checksum.replace('sha256:', '')}${key.slice(end)}`;
}

/** The parts of a `contentKey`, or null. */
export function parseContentKey(key: string): { key: string; checksum: string } | null {
  const [, start, hash, extension] = CONTENT_PATTERN.exec(key) ?? [];
  return start && hash && extension ? { key: `${start}.${extension}`, checksum: `sha256:${hash}` } : null;
}

/** Ids contain no dot, so the previews of two uploads never have the same key. */
const PREVIEW_SUFFIXES: Readonly<Record<PreviewSize, string>> = { large: '.webp', small: '.320.webp' };

/** The key of an artwork's preview. @throws RangeError if the key is invalid */
export function previewKey(key: string, size: PreviewSize): string {
  const parts = parseArtworkKey(key);
  if (!parts) throw new RangeError('not an artwork key');
  return `previews/${parts.accountId}/${parts.uploadId}${PREVIEW_SUFFIXES[size]}`;
}

/** The keys of all previews of an artwork. @throws RangeError if the key is invalid */
export const previewKeys = (key: string): string[] => PREVIEW_SIZES.map((size) => previewKey(key, size));
