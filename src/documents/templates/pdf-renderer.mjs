/**
 * Sets documents with typst, in a process of its own (src/documents/pdf-renderer.ts starts it and bounds it): setting one keeps a thread busy, and
 * a compiler that fails must not take the API with it. Plain Node, so that it runs without being built, and knows nothing of the service.
 *
 * Takes { id, template, data, codes, pictures } and answers { id, pdf } or { id, failure }. What was written by others comes as data: JSON
 * that a template reads from a file which is not there on disk. No text of anybody is ever part of a program.
 */
import { createRequire } from 'node:module';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import sharp from 'sharp';
import { barcode } from './barcode.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const [uid, gid] = process.argv.slice(2).map(Number);
if (process.argv.length > 2) becomeUser();
const compiler = NodeCompiler.create({ workspace: folder, fontArgs: [{ fontPaths: fontFolders() }] });

/** Gives root's rights up for good, unless the user could not read what documents are made of. */
function becomeUser() {
  const folders = [folder, ...fontFolders()];
  process.setgroups([]);
  process.setegid(gid);
  process.seteuid(uid);
  const canRead = folders.every(isReadable);
  process.seteuid(0);
  process.setegid(0);
  if (!canRead) return;
  process.setgid(gid);
  process.setuid(uid);
}

/** Reads a file of the folder: whether one may is a question that Node asks for the user who started it. */
function isReadable(path) {
  try {
    const file = readdirSync(path, { withFileTypes: true }).find((entry) => entry.isFile());
    if (file !== undefined) closeSync(openSync(join(path, file.name), 'r'));
    return true;
  } catch (error) {
    return error.code === 'ENOENT'; // not every family has both weights
  }
}

/** Regular and bold of every family there is; typst takes them for the scripts that Noto Sans lacks. */
function fontFolders() {
  const noto = dirname(dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans/package.json')));
  const families = readdirSync(noto).filter((name) => name.startsWith('noto-'));
  const chinese = createRequire(import.meta.url).resolve('@embedpdf/fonts-sc');
  const korean = createRequire(import.meta.url).resolve('@embedpdf/fonts-kr');
  return [
    ...families.flatMap((family) => ['400Regular', '700Bold'].map((weight) => join(noto, family, weight))),
    ...[chinese, korean].map((main) => join(dirname(dirname(main)), 'fonts')),
  ];
}

/** In place of a picture that cannot be read: the sheet is needed all the same. */
const blank = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } })
  .jpeg()
  .toBuffer();

/** The typesetter reads no WebP, and paper needs no more pixels than this. */
const picture = (bytes) =>
  sharp(bytes, { limitInputPixels: 5_000_000 })
    .resize(900, 900, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .jpeg({ quality: 85 })
    .toBuffer()
    .catch(() => blank);

async function set({ template, data, codes, pictures }) {
  const drawn = await Promise.all(Object.entries(pictures).map(async ([name, bytes]) => [name, await picture(Buffer.from(bytes))]));
  const files = {
    'data.json': Buffer.from(JSON.stringify(data)),
    ...Object.fromEntries(Object.entries(codes).map(([name, text]) => [`${name}.svg`, Buffer.from(barcode(text))])),
    ...Object.fromEntries(drawn),
  };
  try {
    for (const [name, bytes] of Object.entries(files)) compiler.mapShadow(join(folder, name), bytes);
    return compiler.pdf({ mainFilePath: join(folder, `${template}.typ`), resetRead: true }, { creationTimestamp: data.createdAtSeconds });
  } finally {
    compiler.resetShadow();
    compiler.evictCache(3);
  }
}

async function answer(asked) {
  try {
    process.send({ id: asked.id, pdf: await set(asked) });
  } catch (error) {
    const told = error?.shortDiagnostics === undefined ? String(error?.message ?? error) : JSON.stringify(error.shortDiagnostics);
    process.send({ id: asked.id, failure: told.slice(0, 2000) });
  }
}

process.on('message', (asked) => void answer(asked));
process.on('disconnect', () => process.exit(0));
process.send({ ready: true, isRoot: process.getuid() === 0 });
