import type { UploadContentType } from '../types.js';

const CONTENT_TYPE_BY_EXTENSION: Readonly<Record<string, UploadContentType>> = {
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
  const extension = /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(CONTENT_TYPE_BY_EXTENSION, extension)) return CONTENT_TYPE_BY_EXTENSION[extension] as UploadContentType;
  throw new TypeError(`contentType is missing: the name ${filename} does not tell it`);
}
