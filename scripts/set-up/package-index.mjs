// Where this machine gets Python packages from, and a file from there. As pip is told, by its environment variable or its
// configuration files, else PyPI itself. Neither pip nor Python is needed.

import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SetupFailure } from './report.mjs';

const PYPI = 'https://pypi.org/simple/';
/** A download is given up when nothing arrives for so long; the first bytes have less. */
const FIRST_BYTES_MS = 10_000;
const STALL_MS = 20_000;
const MAX_BYTES = 300_000_000;

/** The address of the index; there may be an account in it. */
export function packageIndex(env = process.env, home = homedir()) {
  return env.PIP_INDEX_URL?.trim() || pipConfigFiles(env, home).map(indexUrlIn).find(Boolean) || PYPI;
}

/** As pip looks for them, the one that counts most first. */
function pipConfigFiles(env, home) {
  const config = env.XDG_CONFIG_HOME || join(home, '.config');
  const files = [
    env.PIP_CONFIG_FILE,
    env.VIRTUAL_ENV && join(env.VIRTUAL_ENV, 'pip.conf'),
    join(home, 'Library', 'Application Support', 'pip', 'pip.conf'),
    join(config, 'pip', 'pip.conf'),
    join(home, '.pip', 'pip.conf'),
    '/etc/pip.conf',
    '/etc/xdg/pip/pip.conf',
    '/Library/Application Support/pip/pip.conf',
  ];
  return env.PIP_CONFIG_FILE === '/dev/null' ? [] : files.filter(Boolean);
}

/** `index-url` of the sections that hold for an installation. */
function indexUrlIn(file) {
  const urls = {};
  let section;
  for (const line of readLines(file)) {
    section = /^\s*\[(.+)\]\s*$/.exec(line)?.[1] ?? section;
    const url = /^\s*index[-_]url\s*[=:]\s*(\S+)/.exec(line)?.[1];
    if (url !== undefined) urls[section] = url;
  }
  return urls.install ?? urls.global;
}

function readLines(file) {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  } catch {
    return []; // somebody else's
  }
}

/**
 * Downloads one file of a project. What it holds is for the caller to check.
 * @param tell is told how far it is
 * @throws SetupFailure when the index cannot be reached, does not have it, or stops sending
 */
export async function downloadFromIndex({ index = packageIndex(), project, filename, tell = () => {} }) {
  const { url: indexUrl, authorization } = withoutCredentials(index);
  const page = new URL(`${project}/`, indexUrl);
  const listing = await get(page, authorization, { accept: 'application/vnd.pypi.simple.v1+json, text/html;q=0.5' });
  const url = filesOf(listing).find((file) => file.pathname.split('/').at(-1) === encodeURIComponent(filename));
  if (url === undefined) throw new SetupFailure(`${page.host} does not have ${filename}`);
  return (await get(url, url.origin === page.origin ? authorization : undefined, {}, tell)).body;
}

/** fetch refuses an address with an account in it, and no message of ours may show it. */
function withoutCredentials(address) {
  let url;
  try {
    url = new URL(address);
  } catch {
    throw new SetupFailure("pip's index-url is not an address");
  }
  const account = [url.username, url.password].map(decodeURIComponent).join(':');
  [url.username, url.password, url.pathname] = ['', '', url.pathname.replace(/\/*$/, '/')];
  return { url, authorization: account === ':' ? undefined : `Basic ${Buffer.from(account).toString('base64')}` };
}

/** Both forms of the simple index: JSON where it is had, else a page of links. */
function filesOf({ url, type, body }) {
  const text = body.toString('utf8');
  const links = type.includes('json')
    ? parsed(text, url).map((file) => file.url)
    : [...text.matchAll(/<a\s[^>]*?href\s*=\s*["']([^"']+)["']/gi)].map(([, href]) => href.replaceAll('&amp;', '&'));
  return links.flatMap((link) => addressOf(link, url));
}

function addressOf(link, base) {
  try {
    return [new URL(link, base)];
  } catch {
    return [];
  }
}

function parsed(text, url) {
  try {
    return JSON.parse(text).files;
  } catch {
    throw new SetupFailure(`${url.host} answered with something that is no list of files`);
  }
}

async function get(url, authorization, headers, tell = () => {}) {
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), FIRST_BYTES_MS);
  try {
    const reply = await fetch(url, {
      headers: { ...headers, ...(authorization && { authorization }), 'accept-encoding': 'identity' },
      signal: stalled.signal,
    });
    if (!reply.ok) throw new SetupFailure(`${url.host} answered ${reply.status} for ${url.pathname}`);
    clearTimeout(timer);
    timer = setTimeout(() => stalled.abort(), STALL_MS);
    const body = await bytesOf(reply, url.host, (received) => {
      timer.refresh();
      tell(received);
    });
    return { url: new URL(reply.url), type: reply.headers.get('content-type') ?? '', body };
  } catch (error) {
    if (error instanceof SetupFailure) throw error;
    throw new SetupFailure(
      stalled.signal.aborted ? `${url.host} sends nothing` : `${url.host} cannot be reached: ${error.cause?.message ?? error.message}`,
    );
  } finally {
    clearTimeout(timer);
  }
}

async function bytesOf(reply, host, onBytes) {
  const chunks = [];
  let received = 0;
  for await (const chunk of reply.body ?? []) {
    received += chunk.length;
    if (received > MAX_BYTES) throw new SetupFailure(`${host} sends more than any of our files has`);
    chunks.push(chunk);
    onBytes(received);
  }
  return Buffer.concat(chunks);
}
