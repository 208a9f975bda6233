import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { decode } from '../../src/inspection/decoding';
import type { Report } from '../report';
import type { Stage } from '../stage';

const MEGABYTE = 1_000_000;
const HEADER_GOAL_MB = 80;
const PREVIEW_GOAL_MB = 250;

/** Looking at files as large as may be uploaded: the most memory the program has resident, when the header is read and in all. */
export async function inspection(_stage: Stage, quick: boolean, report: Report): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-inspection-'));
  try {
    for (const file of await largeFiles(folder, quick ? 3_000 : 12_900)) await look(file, report);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same noise as TIFF, PNG and JPEG, `side` pixels wide and high: noise is what compresses least. */
async function largeFiles(folder: string, side: number): Promise<string[]> {
  const [tiff, png, jpeg] = ['tif', 'png', 'jpg'].map((kind) => path.join(folder, `large.${kind}`)) as [string, string, string];
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  await sharp({ create: { width: side, height: side, channels: 3, background: 'black', noise } })
    .tiff({ compression: 'none' })
    .toFile(tiff);
  await sharp(tiff).png({ compressionLevel: 1 }).toFile(png);
  await sharp(tiff).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toFile(jpeg);
  return [tiff, png, jpeg];
}

async function look(file: string, report: Report): Promise<void> {
  const megabytes = Math.round((await stat(file)).size / MEGABYTE);
  const startedMs = performance.now();
  const { found, peaks } = await decode({ file, preview: `${file}.webp` }, new AbortController().signal);
  const seconds = (performance.now() - startedMs) / 1000;
  if (peaks.header === null || peaks.preview === null) throw new Error(`${file}: ${found.reason}`);
  const [header, preview] = [peaks.header / MEGABYTE, peaks.preview / MEGABYTE];
  const what = `${found.mediaType}, ${megabytes} MB, ${found.widthPx} × ${found.heightPx}`;
  const row = (name: string, mb: number, goal: number) =>
    report.rows.push({ what: `${what}: ${name}`, ours: `${mb.toFixed(0)} MB`, goal: `< ${goal} MB`, met: mb < goal });
  row('memory when the header is read', header, HEADER_GOAL_MB);
  row(`memory of the preview, in ${seconds.toFixed(1)} s`, preview, PREVIEW_GOAL_MB);
}
