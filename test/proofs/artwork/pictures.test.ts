/**
 * Pictures that Python programs make and render without libvips. Each preview looks like the rendering, or there is none (ruling 60).
 * `SEED=…` repeats a run.
 */
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { toolPath } from '../../../scripts/start/tools';
import type { InspectionResult } from '../../../src/domain/inspection';
import { Inspector } from '../../../src/inspection/inspector';
import { createLogger } from '../../../src/platform/logger';
import { mapLimited } from '../../../src/runtime/map-limited';
import { decoderPath } from '../../support/infrastructure';

const run = promisify(execFile);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1_000_000));
const COUNT = 150;
/** Less than the fifteen minutes of a test. */
const TIMEOUT_MS = 840_000;
/** Of 255. */
const MAX_DIFFERENCE = 6;

let folder: string;
let inspector: Inspector;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pictures-'));
  await Promise.all(['kinds', 'random_pictures'].map((name) => mkdir(path.join(folder, name))));
  inspector = await Inspector.open(path.join(folder, 'inspection'), createLogger('error', 'test'), { program: decoderPath() });
});
afterAll(async () => {
  await inspector.close();
  await rm(folder, { recursive: true, force: true });
});

interface MadePicture {
  file: string;
  /** The states that are right. */
  states: string[];
  /** A PNG with the right colors in the viewing direction; null if programs may differ. */
  rendering: string | null;
  facts: Partial<InspectionResult>;
  /** How the file was made. */
  made?: string;
}

async function make(program: string, ...args: string[]): Promise<MadePicture[]> {
  const target = path.join(folder, program);
  // No compiled files, because the programs are in the checkout.
  const options = { timeout: TIMEOUT_MS, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } };
  await run(toolPath('pictures'), [path.join(__dirname, `${program}.py`), target, ...args], options);
  return JSON.parse(await readFile(path.join(target, 'pictures.json'), 'utf8')) as MadePicture[];
}

/** What is wrong with the inspections of these pictures. */
async function findProblems(program: string, pictures: MadePicture[]): Promise<string[]> {
  const problems: string[] = [];
  await mapLimited(pictures, 2, async ({ file, states, rendering, facts, made = '' }) => {
    const report = (problem: string): void => void problems.push(`${file} (${made}): ${problem}`);
    const bytes = createReadStream(path.join(folder, program, file));
    const { found, previews } = await inspector.inspect(bytes, new AbortController().signal);
    if (!states.includes(found.state)) report(`is ${found.state} (${found.reason}), not ${states.join(' or ')}`);
    for (const [name, value] of Object.entries(facts))
      if (found[name as keyof InspectionResult] !== value) report(`${name} is ${found[name as keyof InspectionResult]}, not ${value}`);
    if ((found.state === 'ok') !== (previews !== null)) report('the state does not fit the preview');
    if (found.state === 'no_preview' && !/^[A-Z].*: no preview here(, because .+)?; the studio opens the file$/.test(found.reason ?? ''))
      report(`says: ${found.reason}`);
    if (previews === null || rendering === null) return;
    for (const preview of [previews.large, previews.small]) {
      const difference = await differenceOf(await readFile(path.join(folder, program, rendering)), preview);
      if (difference >= MAX_DIFFERENCE) report(`the preview differs by ${difference.toFixed(1)} of 255`);
    }
  });
  return problems;
}

/** The mean difference of two pictures' samples, after both were reduced. */
async function differenceOf(...pictures: [Buffer, Buffer]): Promise<number> {
  const [one, other] = await Promise.all(
    pictures.map((picture) => sharp(picture).removeAlpha().toColourspace('srgb').resize(64, 64, { fit: 'fill' }).raw().toBuffer()),
  );
  if (one === undefined || other === undefined || one.length !== other.length) return 255;
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}

it('each kind of artwork that clients have sent', async () => {
  const pictures = await make('kinds');
  expect(pictures.length).toBeGreaterThan(140);
  expect(await findProblems('kinds', pictures)).toEqual([]);
});

it(`${COUNT} random pictures (SEED=${SEED})`, async () => {
  const pictures = await make('random_pictures', String(SEED), String(COUNT));
  expect(await findProblems('random_pictures', pictures)).toEqual([]);
});
