import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decode } from '../../../src/inspection/decoder-process';

const BOUNDS = { cpuSeconds: 20, timeMs: 60_000, memoryBytes: 512 * 1024 * 1024 };
const FACTS = {
  mediaType: 'image/jpeg',
  widthPx: 40,
  heightPx: 30,
  orientation: 1,
  colourSpace: 'srgb',
  hasProfile: true,
  hasAlpha: false,
  pages: 1,
  extraChannels: 0,
};
const HEADER = `print({ type: 'header', facts: ${JSON.stringify(FACTS)}, peakRssBytes: 1, cpuSeconds: 0.1 });`;
const STARTED = `print({ type: 'started', cpuSeconds: 0 });`;
const PREVIEW = `print({ type: 'preview', peakRssBytes: 1, cpuSeconds: 0.2 });`;
const WEBP = `Buffer.from('RIFF....WEBP')`;

/** Programs that act like a decoder under a hostile file. */
describe('an abnormal end of the decoder', () => {
  let folder: string;
  const attempts = () => readFile(path.join(folder, 'attempts'), 'utf8').then(({ length }) => length);
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'decoder-'));
    await writeFile(path.join(folder, 'file'), '');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function run(code: string, bounds = BOUNDS) {
    const program = path.join(folder, 'decoder.js');
    await writeFile(
      program,
      `const fs = require('node:fs');
       const task = JSON.parse(fs.readFileSync(0, 'utf8'));
       fs.appendFileSync(${JSON.stringify(path.join(folder, 'attempts'))}, '.');
       const print = (line) => fs.writeSync(1, JSON.stringify(line) + '\\n');
       ${code}`,
    );
    const files = { file: path.join(folder, 'file'), preview: path.join(folder, 'large'), smallPreview: path.join(folder, 'small') };
    const cpuTimes: number[] = [];
    const recordCpuTime = async (seconds: number): Promise<void> => void cpuTimes.push(seconds);
    const result = await decode(files, new AbortController().signal, { program, bounds, recordCpuTime }).catch((error: Error) => error);
    return { result, cpuTimes };
  }

  const CRASHED = 'JPEG: no preview here, because decoding it fails here; the studio opens the file';
  const EXCEEDED = 'JPEG: no preview here, because decoding it takes more than 20 s or 512 MB; the studio opens the file';

  it.each([
    ['exits with 1', 'process.exit(1);', 2, CRASHED],
    ['exits with 0 and no finding', '', 2, CRASHED],
    ['aborts', 'process.abort();', 2, CRASHED],
    ['is killed, as with too much memory', `process.kill(process.pid, 'SIGKILL');`, 2, EXCEEDED],
    [
      'exits with 1 after its finding',
      `print({ type: 'unreadable', cause: 'damaged_pixels', cpuSeconds: 1 }); process.exit(1);`,
      2,
      CRASHED,
    ],
    ['prints an invalid finding', `print({ type: 'unreadable', cause: 'a\\0b', cpuSeconds: 1 });`, 2, CRASHED],
    ['writes no preview', PREVIEW, 2, CRASHED],
    [
      'writes a preview of 17 MB',
      `for (const name of [task.preview, task.smallPreview]) { fs.writeFileSync(name, ${WEBP}); fs.truncateSync(name, 17 * 2 ** 20); } ${PREVIEW}`,
      2,
      CRASHED,
    ],
    ['writes no WebP', `for (const name of [task.preview, task.smallPreview]) fs.writeFileSync(name, 'secret'); ${PREVIEW}`, 2, CRASHED],
    [
      'replaces its preview by a link',
      `fs.writeFileSync(task.file, ${WEBP});
       for (const name of [task.preview, task.smallPreview]) { fs.rmSync(name, { force: true }); fs.symlinkSync(task.file, name); } ${PREVIEW}`,
      2,
      CRASHED,
    ],
  ])('a decoder that %s leads to no_preview', async (_how, code, expectedAttempts, reason) => {
    const { result, cpuTimes } = await run(`${STARTED} ${HEADER} ${code}`);
    expect(result).toMatchObject({ found: { ...FACTS, state: 'no_preview', reason }, previews: null });
    expect([await attempts(), cpuTimes.length]).toEqual([expectedAttempts, expectedAttempts]);
    for (const seconds of cpuTimes) expect(seconds).toBeGreaterThan(0);
  });

  it('a second attempt can succeed', async () => {
    const succeed = `for (const name of [task.preview, task.smallPreview]) fs.writeFileSync(name, ${WEBP}); ${PREVIEW}`;
    const isFirst = `fs.readFileSync(${JSON.stringify(path.join(folder, 'attempts'))}, 'utf8').length === 1`;
    const { result } = await run(`${STARTED} ${HEADER} if (${isFirst}) process.exit(1); ${succeed}`);
    expect(result).toMatchObject({
      found: { state: 'ok', reason: null },
      previews: { large: expect.any(Buffer), small: expect.any(Buffer) },
    });
    expect(await attempts()).toBe(2);
  });

  it('without a header the properties are unknown', async () => {
    const { result } = await run(`${STARTED} process.exit(1);`);
    const reason = 'The file: no preview here, because decoding it fails here; the studio opens the file';
    expect(result).toMatchObject({ found: { state: 'no_preview', mediaType: null, widthPx: null, pages: null, reason } });
  });

  it.each([
    ['CPU time', 'for (;;);', { cpuSeconds: 1, timeMs: 60_000 }],
    ['running time', 'setInterval(() => undefined, 1000);', { cpuSeconds: 20, timeMs: 15_000 }],
  ])('too much %s needs no second attempt', async (_what, code, limits) => {
    const { result, cpuTimes } = await run(`${STARTED} ${HEADER} ${code}`, { ...BOUNDS, ...limits });
    const reason = `JPEG: no preview here, because decoding it takes more than ${limits.cpuSeconds} s or 512 MB; the studio opens the file`;
    expect(result).toMatchObject({ found: { state: 'no_preview', reason } });
    expect(await attempts()).toBe(1);
    expect(cpuTimes).toEqual([expect.any(Number)]);
    expect(cpuTimes[0]).toBeGreaterThan(0.3);
  });

  it.each([
    ['exits before it has started', 'process.exit(1);'],
    ['does not start in time', 'setInterval(() => undefined, 1000);'],
  ])('a decoder that %s is a fault of the service, and its CPU time counts', async (_how, code) => {
    const { result, cpuTimes } = await run(code, { ...BOUNDS, timeMs: 15_000 });
    expect(result).toMatchObject({ message: expect.stringMatching(/^the decoder failed/) });
    expect([await attempts(), cpuTimes.length]).toEqual([1, 1]);
  });

  it('a decoder that is stopped has its CPU time counted', async () => {
    const program = path.join(folder, 'decoder.js');
    await writeFile(program, 'setInterval(() => undefined, 1000);');
    const files = { file: path.join(folder, 'file'), preview: path.join(folder, 'large'), smallPreview: path.join(folder, 'small') };
    const stop = new AbortController();
    const cpuTimes: number[] = [];
    const decoding = decode(files, stop.signal, { program, recordCpuTime: async (seconds) => void cpuTimes.push(seconds) });
    stop.abort(new Error('the worker stops'));
    await expect(decoding).rejects.toThrow('the worker stops');
    expect(cpuTimes).toHaveLength(1);
  });

  it('ends at its deadline, also if the first attempt crashed', async () => {
    const code = `${STARTED} ${HEADER} setTimeout(() => process.exit(1), 10_000);`;
    const { result } = await run(code, { ...BOUNDS, timeMs: 15_000 });
    expect(result).toMatchObject({ found: { state: 'no_preview' } });
  });

  it('counts a part of the running time if the decoder reports none', async () => {
    const waited = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);';
    const { cpuTimes } = await run(`${STARTED} ${waited} print({ type: 'unreadable', cause: 'damaged_pixels', cpuSeconds: 0 });`);
    expect(cpuTimes[0]).toBeGreaterThan(0.3);
  });

  it('a program that the decoder started and left behind does not delay the result', async () => {
    const pidFile = path.join(folder, 'left.pid');
    const leave = `const left = require('node:child_process').spawn('sleep', ['600'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
      fs.writeFileSync(${JSON.stringify(pidFile)}, String(left.pid));`;
    const { result } = await run(
      `${STARTED} ${leave} print({ type: 'unreadable', cause: 'damaged_pixels', cpuSeconds: 0.1 }); process.exit();`,
    );
    // Fails if the program has ended, because then the result may have waited for it.
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL');
    expect(result).toMatchObject({ found: { state: 'unreadable', reason: 'its pixels are damaged or incomplete' } });
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('the kernel ends the decoder first if memory is short, and writes no core file', async () => {
    const read = `fs.readFileSync('/proc/self/oom_score_adj', 'utf8').trim() + /core file size +(\\d+)/.exec(fs.readFileSync('/proc/self/limits', 'utf8'))[0]`;
    const { result } = await run(`${STARTED} print({ type: 'no_preview', subject: (${read}).replace(/ +/g, ' '), cpuSeconds: 0.1 });`);
    expect(result).toMatchObject({ found: { reason: '1000core file size 0: no preview here; the studio opens the file' } });
  });
});
