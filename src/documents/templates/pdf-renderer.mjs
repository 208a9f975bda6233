/**
 * Renders documents with Typst in a child process, which src/documents/pdf-renderer.ts starts and limits. Rendering blocks a thread, and a
 * compiler crash must not stop the API. This file imports nothing from the service, so it runs without a build.
 *
 * Receives messages { id, template, data, barcodes, pictures } and replies with { id, pdf } or { id, failure }. The template reads the
 * texts from a virtual JSON file, so no text becomes part of a Typst program.
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

/** Drops root rights permanently, unless the user cannot read the templates and fonts. */
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

/** Opens a file in the folder, because Node's access check uses the real user id, which is still root. */
function isReadable(path) {
  try {
    const file = readdirSync(path, { withFileTypes: true }).find((entry) => entry.isFile());
    if (file !== undefined) closeSync(openSync(join(path, file.name), 'r'));
    return true;
  } catch (error) {
    return error.code === 'ENOENT'; // some font families have no bold weight
  }
}

/** The folders of the regular and bold fonts of every family in house.typ. */
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

/** Printed in place of an unreadable picture. */
const blank = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } })
  .jpeg()
  .toBuffer();

/** Converts WebP, which Typst cannot read, to JPEG, no larger than the printed size needs. */
const toJpeg = (bytes) =>
  sharp(bytes, { limitInputPixels: 5_000_000 })
    .resize(900, 900, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .jpeg({ quality: 85 })
    .toBuffer()
    .catch(() => blank);

async function renderPdf({ template, data, barcodes, pictures }) {
  const jpegs = await Promise.all(Object.entries(pictures).map(async ([name, bytes]) => [name, await toJpeg(Buffer.from(bytes))]));
  const files = {
    'data.json': Buffer.from(JSON.stringify(data)),
    ...Object.fromEntries(Object.entries(barcodes).map(([name, text]) => [`${name}.svg`, Buffer.from(barcode(text))])),
    ...Object.fromEntries(jpegs),
  };
  try {
    for (const [name, bytes] of Object.entries(files)) compiler.mapShadow(join(folder, name), bytes);
    return compiler.pdf({ mainFilePath: join(folder, `${template}.typ`), resetRead: true }, { creationTimestamp: data.createdAtSeconds });
  } finally {
    compiler.resetShadow();
    compiler.evictCache(3);
  }
}

async function handleRequest(request) {
  try {
    process.send({ id: request.id, pdf: await renderPdf(request) });
  } catch (error) {
    const failure = error?.shortDiagnostics === undefined ? String(error?.message ?? error) : JSON.stringify(error.shortDiagnostics);
    process.send({ id: request.id, failure: failure.slice(0, 2000) });
  }
}

process.on('message', (request) => void handleRequest(request));
process.on('disconnect', () => process.exit(0));
process.send({ ready: true, isRoot: process.getuid() === 0 });
