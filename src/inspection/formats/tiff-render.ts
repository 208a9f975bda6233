/** Renders TIFFs with libvips, by a directory with only the tags that it needs. */
import { decodeAll, readChannels, renderPixels, renderAtPreviewSize, type PreviewPixels } from './render';
import { JPEG, PHOTOMETRIC, pixelEntries, type TiffPicture, type TiffReading } from './tiff';
import { exceedsUnitRange, labToPixels, toPixels } from './tiff-channels';
import { TAG, type TiffEntry, type TiffFile } from './tiff-directory';
import { longEntry, replaceDirectories, shortEntry } from './tiff-writer';
import type { WorkingCopy } from './working-copy';

/** With these tags libvips would convert the channels. */
const NOT_FOR_CHANNELS: readonly number[] = [TAG.iccProfile, TAG.extraSamples];

interface OpenTiff {
  /** The path of `copy`. */
  file: string;
  copy: WorkingCopy;
  tiff: TiffFile;
  picture: TiffPicture;
  maxPixels: number;
}

/** @returns null if the samples have no known range */
export async function renderTiff(
  { file, copy, tiff, picture, maxPixels }: OpenTiff,
  reading: Exclude<TiffReading, { by: 'unsupported' }>,
): Promise<PreviewPixels | null> {
  const writeDirectory = (changes: TiffEntry[], withoutTags: readonly number[] = []): void => {
    const tags = new Set([...withoutTags, ...changes.map(({ tag }) => tag)]);
    replaceDirectories(copy, tiff, [...pixelEntries(picture.directory).filter(({ tag }) => !tags.has(tag)), ...changes]);
  };
  // libvips shows a tile that it cannot decode as black, but reports strips.
  if (picture.compression === JPEG) assertWholeJpegs(copy, picture);
  else if (picture.isTiled) {
    showTilesAsStrips(copy, tiff, picture);
    await decodeAll(file, maxPixels);
  }
  if (reading.by === 'as_is') {
    writeDirectory([shortEntry(tiff, TAG.photometric, picture.photometric)]);
    return renderAtPreviewSize(file, { maxPixels, isDeepRgb: false, isTiff: true });
  }
  const { sampleType } = reading;
  const uninterpreted = [shortEntry(tiff, TAG.photometric, PHOTOMETRIC.cmyk), shortEntry(tiff, TAG.inkSet, 2)];
  const read = (type: Parameters<typeof readChannels>[1]) => readChannels(file, type, { maxPixels, space: 'multiband', isTiff: true });
  writeDirectory(uninterpreted, NOT_FOR_CHANNELS);
  const channels = await read(sampleType);
  const isLab = picture.photometric === PHOTOMETRIC.cieLab || picture.photometric === PHOTOMETRIC.iccLab;
  if (isLab && (sampleType === 'uint8' || sampleType === 'uint16')) {
    writeDirectory([...uninterpreted, shortEntry(tiff, TAG.sampleFormat, 2)], NOT_FOR_CHANNELS);
    const signed = await read(sampleType === 'uint8' ? 'int8' : 'int16');
    return renderPixels(labToPixels(picture.photometric, sampleType, channels, signed), maxPixels);
  }
  if (exceedsUnitRange(picture, sampleType, channels)) return null;
  return renderPixels(toPixels(picture, sampleType, channels, picture.directory.bytes(TAG.iccProfile)), maxPixels);
}

/** More strips or tiles than a picture of 500 megapixels has in tiles of 64 pixels. */
const MAX_CHECKED_PARTS = 200_000;
const END_OF_JPEG = Buffer.from([0xff, 0xd9]);

/**
 * libtiff fills the rest of an incomplete JPEG with gray.
 * @throws Error if a strip or tile does not end as a JPEG does
 */
function assertWholeJpegs(copy: WorkingCopy, { directory, isTiled }: TiffPicture): void {
  const offsets = directory.values(isTiled ? TAG.tileOffsets : TAG.stripOffsets, MAX_CHECKED_PARTS);
  const lengths = directory.values(isTiled ? TAG.tileByteCounts : TAG.stripByteCounts, MAX_CHECKED_PARTS);
  for (const [part, offset] of offsets.entries()) {
    const length = lengths[part] ?? 0;
    // Some programs add a few bytes.
    const tail = Math.min(length, 16);
    if (!copy.read(offset + length - tail, tail).includes(END_OF_JPEG)) throw new Error(`JPEG ${part} has no end`);
  }
}

/** One column of tiles is a picture with one strip for each tile. */
function showTilesAsStrips(copy: WorkingCopy, tiff: TiffFile, { directory }: TiffPicture): void {
  const renamed = new Map<number, number>([
    [TAG.tileOffsets, TAG.stripOffsets],
    [TAG.tileByteCounts, TAG.stripByteCounts],
    [TAG.tileWidth, TAG.width],
    [TAG.tileHeight, TAG.rowsPerStrip],
  ]);
  const replaced = new Set<number>([
    TAG.width,
    TAG.height,
    TAG.stripOffsets,
    TAG.stripByteCounts,
    TAG.rowsPerStrip,
    TAG.iccProfile,
    TAG.photometric,
    TAG.inkSet,
  ]);
  const tiles = directory.entries.get(TAG.tileOffsets)?.count ?? 0;
  const height = tiles * (directory.value(TAG.tileHeight) ?? 0);
  replaceDirectories(copy, tiff, [
    ...pixelEntries(directory)
      .filter(({ tag }) => !replaced.has(tag))
      .map((entry) => ({ ...entry, tag: renamed.get(entry.tag) ?? entry.tag })),
    longEntry(tiff, TAG.height, height),
    shortEntry(tiff, TAG.photometric, PHOTOMETRIC.cmyk),
    shortEntry(tiff, TAG.inkSet, 2),
  ]);
}
