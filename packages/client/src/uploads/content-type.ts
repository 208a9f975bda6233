import type { UploadContentType } from '../types.js';

const BY_EXTENSION: Readonly<Record<string, UploadContentType>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpe: 'image/jpeg',
  jfif: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
};

/** By the ending of a file's name. @throws TypeError where that tells nothing */
export function contentTypeOf(filename: string): UploadContentType {
  const ending = /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(BY_EXTENSION, ending)) return BY_EXTENSION[ending] as UploadContentType;
  throw new TypeError(`contentType is missing: the name ${filename} does not tell it`);
}
