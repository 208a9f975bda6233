import type { PictureProperties } from './inspection';

/** Variants that a client declares as the plain type, by detected type. */
const PLAIN_TYPES: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'image/heif': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heic',
};

/** Notes about a file for production, besides the result of its inspection. */
export function artworkNotes(
  declaredType: string,
  { mediaType, pages, extraChannels }: Pick<PictureProperties, 'mediaType' | 'pages' | 'extraChannels'>,
): string[] {
  const isOtherType = mediaType !== null && (PLAIN_TYPES[mediaType] ?? mediaType) !== declaredType;
  return [
    ...(isOtherType ? [`Sent as ${declaredType}, contains ${mediaType}`] : []),
    ...(pages !== null && pages > 1 ? [`${pages} pages, the largest one is the picture`] : []),
    ...(extraChannels !== null && extraChannels > 0
      ? [`${extraChannels} extra channel${extraChannels === 1 ? '' : 's'}, not printed`]
      : []),
  ];
}
