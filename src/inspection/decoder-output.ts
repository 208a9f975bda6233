/**
 * Parses the decoder's output. A picture may exploit the decoder, so each field has a type and a range. Lines with other values are
 * ignored, and an accepted line can always be stored.
 */
import { UNKNOWN_PROPERTIES, UNREADABLE_CAUSES, type PictureProperties } from '../domain/inspection';
import type { DecoderLine } from './decoder';

const MAX_INTEGER = 2 ** 31 - 1;
/** Parts of a reason. Without dots, slashes and colons they contain no address. */
const PHRASE = /^[A-Za-z0-9 (),-]{1,80}$/;
const MAX_DETAILS = 200;
const MEDIA_TYPE = /^[a-z]{1,20}\/[a-z0-9.+-]{1,80}$/;
const COLOUR_SPACE = /^[a-z0-9-]{1,40}$/i;

type Fields = Record<string, unknown>;

/** @returns null for a line that the decoder does not write */
export function parseLine(text: string): DecoderLine | null {
  const line = parseObject(text);
  if (line === null || !isSeconds(line['cpuSeconds'])) return null;
  const { type, cpuSeconds } = line;
  const peakRssBytes = Number.isSafeInteger(line['peakRssBytes']) ? Number(line['peakRssBytes']) : 0;
  if (type === 'started' || type === 'limit') return { type, cpuSeconds };
  if (type === 'preview') return { type, peakRssBytes, cpuSeconds };
  if (type === 'unreadable') return parseUnreadable(line, cpuSeconds);
  if (type === 'no_preview') return parseNoPreview(line, cpuSeconds);
  const facts = type === 'header' ? parseFacts(line['facts']) : null;
  return facts === null ? null : { type: 'header', facts, peakRssBytes, cpuSeconds };
}

function parseUnreadable(line: Fields, cpuSeconds: number): DecoderLine | null {
  const cause = UNREADABLE_CAUSES.find((known) => known === line['cause']);
  return cause === undefined ? null : { type: 'unreadable', cause, ...parseDetails(line), cpuSeconds };
}

function parseNoPreview(line: Fields, cpuSeconds: number): DecoderLine | null {
  const { subject, cause } = line;
  if (!isText(subject, PHRASE) || (cause !== undefined && !isText(cause, PHRASE))) return null;
  return { type: 'no_preview', subject, ...(cause !== undefined && { cause }), ...parseDetails(line), cpuSeconds };
}

/** A library's words are only logged. */
const parseDetails = ({ details }: Fields): { details?: string } =>
  typeof details === 'string' ? { details: details.slice(0, MAX_DETAILS).replaceAll(/[^\x20-\x7e]/g, '?') } : {};

function parseObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // an incomplete line
  }
}

/** The properties are all known, or only the media type may be known. */
function parseFacts(value: unknown): PictureProperties | null {
  if (!isObject(value)) return null;
  const { mediaType, widthPx, heightPx, orientation, colourSpace, hasProfile, hasAlpha, pages, extraChannels } = value;
  if (mediaType !== null && !isText(mediaType, MEDIA_TYPE)) return null;
  const rest = [widthPx, heightPx, orientation, colourSpace, hasProfile, hasAlpha, pages, extraChannels];
  if (rest.every((property) => property === null)) return { ...UNKNOWN_PROPERTIES, mediaType };
  if (!isInteger(widthPx, 1) || !isInteger(heightPx, 1) || !isInteger(orientation, 1, 8)) return null;
  if (!isText(colourSpace, COLOUR_SPACE) || typeof hasProfile !== 'boolean' || typeof hasAlpha !== 'boolean') return null;
  if (!isInteger(pages, 1) || !isInteger(extraChannels, 0)) return null;
  return { mediaType, widthPx, heightPx, orientation, colourSpace, hasProfile, hasAlpha, pages, extraChannels };
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value);
const isInteger = (value: unknown, minimum: number, maximum = MAX_INTEGER): value is number =>
  Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
const isSeconds = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= MAX_INTEGER;
