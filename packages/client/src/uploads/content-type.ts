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
  heif: 'image/heic',
  hif: 'image/heic',
};

/** Derives the content type from the file extension. @throws TypeError for an unknown extension */
export function contentTypeOf(filename: string): UploadContentType {
  const extension = /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(CONTENT_TYPE_BY_EXTENSION, extension)) return CONTENT_TYPE_BY_EXTENSION[extension] as UploadContentType;
  throw new TypeError(`contentType is missing and cannot be derived from the filename ${filename}`);
}
