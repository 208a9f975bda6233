import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { childUser, type ChildUser } from '../../../src/platform/child-user';
import { PdfRenderer } from '../../../src/documents/pdf-renderer';
import { decode } from '../../../src/inspection/decoder-process';
import { Inspector } from '../../../src/inspection/inspector';
import { createLogger } from '../../../src/platform/logger';
import { builtFile, decoderPath } from '../../support/infrastructure';
import { aPicture } from '../../support/pictures';
import { waitFor } from '../../support/wait-for';
import { canEnter } from '../../../scripts/start/postgres-account';
import { projectRoot } from '../../../scripts/start/project';

const USER: ChildUser = { uid: 65_534, gid: 65_534 };
const silentLogger = createLogger('silent', 'test');
const describeAsRoot = childUser(USER) === null ? describe.skip : describe;
if (childUser(USER) === null) process.stderr.write('SKIPPED, programs of another user: only root can start them\n');

/** The user and the capabilities of a process. */
async function readRights(pid: number): Promise<Record<string, string>> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const readValue = (name: string): string => new RegExp(`^${name}:[\\t ]*(.*?)[\\t ]*$`, 'm').exec(status)?.[1] ?? '';
  return {
    uid: readValue('Uid'),
    gid: readValue('Gid'),
    groups: readValue('Groups'),
    effective: readValue('CapEff'),
    permitted: readValue('CapPrm'),
  };
}

const SLIP = {
  title: 'Packing slip P-10001',
  footer: 'Order P-10001',
  isTest: false,
  orderNumber: 'P-10001',
  reference: null,
  sender: null,
  date: '5 March 2026',
  shipTo: ['Ada Customer', '王小明', 'عبد الله بن محمد'],
  parcel: [],
  lines: [{ product: 'Fine art print', detail: 'Line 1', reference: '', quantity: '1' }],
  note: 'This parcel contains the whole order.',
};

const NO_RIGHTS = {
  uid: '65534\t65534\t65534\t65534',
  gid: '65534\t65534\t65534\t65534',
  groups: '',
  effective: '0000000000000000',
  permitted: '0000000000000000',
};

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''))); // a thread may have ended
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

describeAsRoot('a program that root starts for the bytes of others', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'child-user-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('cannot read the environment of its parent, a key file, or another of its kind, and cannot become root again', async () => {
    const key = path.join(folder, 'secrets-key');
    await writeFile(key, 'k1:secret', { mode: 0o600 });
    await chmod(folder, 0o711);
    const script = `
      const { giveUpRoot } = require(${JSON.stringify(builtFile('src', 'platform', 'child-user.js'))});
      const { readFileSync } = require('node:fs');
      giveUpRoot({ uid: 65534, gid: 65534 });
      const tried = (work) => { try { work(); return 'done'; } catch (error) { return error.code; } };
      console.log(JSON.stringify({
        parent: tried(() => readFileSync('/proc/' + process.ppid + '/environ')),
        memory: tried(() => readFileSync('/proc/' + process.ppid + '/maps')),
        own: tried(() => readFileSync('/proc/' + process.pid + '/environ')),
        key: tried(() => readFileSync(${JSON.stringify(key)})),
        root: tried(() => process.setuid(0)),
      }));`;
    const answer = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })) as Record<string, string>;
    // Its own environment is unreadable for its user, so no program of the same user can read it.
    expect(answer).toEqual({ parent: 'EACCES', memory: 'EACCES', own: 'EACCES', key: 'EACCES', root: 'EPERM' });
  });

  it('of an ordinary user, with an executable and unreadable Node, cannot read the environment of its parent', async () => {
    const [node, script] = [path.join(folder, 'node'), path.join(folder, 'parent.cjs')];
    await copyFile(process.execPath, node);
    await writeFile(
      script,
      `const { execFileSync } = require('node:child_process');
       const read = "try { require('node:fs').readFileSync('/proc/' + process.ppid + '/environ'); console.log('read'); } catch (error) { console.log(error.code); }";
       process.stdout.write(execFileSync(process.execPath, ['-e', read], { env: {} }));`,
    );
    await chmod(script, 0o644);
    await chmod(folder, 0o711);
    const runWithMode = async (mode: number): Promise<string> => {
      await chmod(node, mode);
      return execFileSync(node, [script], { ...USER, cwd: '/', env: { SECRET: 'secret' }, encoding: 'utf8' }).trim();
    };
    expect([await runWithMode(0o755), await runWithMode(0o711)]).toEqual(['read', 'EACCES']);
  });

  it('inspects a picture in a folder that its user cannot open, and makes a preview', async () => {
    const inspector = await Inspector.open(path.join(folder, 'closed'), silentLogger, { program: decoderPath(), user: USER });
    const bytes = await aPicture(400, 300).jpeg().toBuffer();
    const { found, previews } = await inspector.inspect(Readable.from([bytes]), new AbortController().signal);
    expect(found).toMatchObject({ state: 'ok', widthPx: 400, heightPx: 300, mediaType: 'image/jpeg' });
    expect(previews?.large.length).toBeGreaterThan(0);
    await inspector.close();
  });

  it('opens no file of root, because it drops its rights before it opens any', async () => {
    const files = {
      file: path.join(folder, 'picture.png'),
      preview: path.join(folder, 'preview.webp'),
      smallPreview: path.join(folder, 'small.webp'),
    };
    await aPicture(40, 30).png().toFile(files.file);
    await chmod(files.file, 0o600);
    await chmod(folder, 0o711);
    const decodeAs = (user: ChildUser | null) => decode(files, new AbortController().signal, { program: decoderPath(), user });
    expect((await decodeAs(null)).found).toMatchObject({ state: 'ok', mediaType: 'image/png' });
    await expect(decodeAs(USER)).rejects.toThrow(/EACCES/);
  });

  // In a private home folder, the renderer cannot read its templates as another user, and keeps its rights.
  const itInReach = canEnter(path.join(projectRoot, 'src', 'documents', 'templates'), USER) ? it : it.skip;
  itInReach('renders documents without any right of root (needs a clone that other users can read)', async () => {
    const before = await childrenOf(process.pid);
    const press = new PdfRenderer(silentLogger, undefined, undefined, USER);
    try {
      const pdf = await press.render({ template: 'packing-slip', data: SLIP, barcodes: { 'order-number': 'P-10001' } }, new Date());
      expect(pdf.subarray(0, 4).toString()).toBe('%PDF');
      const [pid = 0] = (await childrenOf(process.pid)).filter((child) => !before.includes(child));
      expect(await readRights(pid)).toEqual(NO_RIGHTS);
    } finally {
      press.close();
    }
  });

  it('decodes without any right of root', async () => {
    const before = await childrenOf(process.pid);
    const inspector = await Inspector.open(folder, silentLogger, { program: decoderPath(), user: USER });
    const stop = new AbortController();
    const looking = inspector.inspect(Readable.from([await aPicture(9000, 9000).png({ compressionLevel: 1 }).toBuffer()]), stop.signal);
    try {
      await waitFor('a program without rights', async () => {
        const [pid] = (await childrenOf(process.pid)).filter((child) => !before.includes(child));
        const rights = pid === undefined ? null : await readRights(pid).catch(() => null);
        return JSON.stringify(rights) === JSON.stringify(NO_RIGHTS);
      });
      expect((await looking).found.state).toBe('ok');
    } finally {
      stop.abort();
      await looking.catch(() => undefined);
      await inspector.close();
    }
  });
});
