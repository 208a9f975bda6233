import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { decode } from '../../src/inspection/decoding';
import type { Stage } from '../stage';

const MEGABYTE = 1_000_000;

/** The peak memory of the program that opens the largest uploads, some 500 MB each. */
export async function inspection(_stage: Stage, isSmoke: boolean): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-inspection-'));
  try {
    const lines: string[] = [];
    for (const file of await largeFiles(folder, isSmoke ? 300 : 12_900)) lines.push(await peaksOf(file));
    return lines;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same noise as TIFF, PNG and JPEG: noise compresses least. */
async function largeFiles(folder: string, side: number): Promise<string[]> {
  const [tiff, png, jpeg] = ['tif', 'png', 'jpg'].map((kind) => join(folder, `large.${kind}`)) as [string, string, string];
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  await sharp({ create: { width: side, height: side, channels: 3, background: 'black', noise } })
    .tiff({ compression: 'none' })
    .toFile(tiff);
  await sharp(tiff).png({ compressionLevel: 1 }).toFile(png);
  await sharp(tiff).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toFile(jpeg);
  return [tiff, png, jpeg];
}

async function peaksOf(file: string): Promise<string> {
  const { size } = await stat(file);
  const { found, peaks } = await decode({ file, preview: `${file}.webp` }, new AbortController().signal);
  if (peaks.header === null || peaks.preview === null) throw new Error(`${file}: ${found.reason}`);
  const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(0)} MB`;
  return `${found.mediaType} of ${megabytes(size)}: ${megabytes(peaks.header)} for the header, ${megabytes(peaks.preview)} for the preview`;
}
