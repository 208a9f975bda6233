// `node scripts/release/trim-packages.mjs <node_modules>` removes the parts of installed packages that the service never loads. It keeps
// webpack, because @temporalio/worker imports it.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Which node_modules? For example: trim-packages.mjs node_modules');

const remove = (path) => rmSync(path, { recursive: true, force: true });
const inPackage = (...path) => join(folder, ...path);
const list = (path) => (existsSync(path) ? readdirSync(path) : []);

// The compiler of workflows, which only the build needs.
for (const name of ['@swc', 'swc-loader']) remove(inPackage(name));

// The Temporal SDK contains its sources, and native code for five platforms.
const platforms = { linux: 'unknown-linux-gnu', darwin: 'apple-darwin', win32: 'pc-windows-msvc' };
const target = `${{ x64: 'x86_64', arm64: 'aarch64' }[process.arch]}-${platforms[process.platform]}`;
const releases = inPackage('@temporalio', 'core-bridge', 'releases');
if (!existsSync(join(releases, target))) throw new Error(`@temporalio/core-bridge has no native code for ${target}`);
for (const name of list(releases)) if (name !== target) remove(join(releases, name));
for (const name of ['sdk-core', 'src', 'ts', 'bridge-macros', 'Cargo.lock', 'Cargo.toml'])
  remove(inPackage('@temporalio', 'core-bridge', name));

// Documents use two weights of each font.
const fonts = inPackage('@expo-google-fonts');
for (const family of list(fonts))
  for (const weight of list(join(fonts, family)))
    if (/^\d+/.test(weight) && !['400Regular', '700Bold'].includes(weight)) remove(join(fonts, family, weight));
for (const name of list(inPackage('@embedpdf')))
  for (const file of list(inPackage('@embedpdf', name, 'fonts')))
    if (!/-(Regular|Bold)\.otf$/.test(file)) remove(inPackage('@embedpdf', name, 'fonts', file));

// Type declarations and source maps.
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && /\.([cm]?js|css)\.map$|\.d\.[cm]?ts(\.map)?$/.test(entry.name))
    remove(join(entry.parentPath ?? entry.path, entry.name));
