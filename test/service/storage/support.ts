import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createLocalStorage, startStorageServer, type ArtworkStorage, type StorageServer } from '../../../src/storage';
import type { StorageServerOptions, UploadTarget } from '../../../src/storage';

export const SECRET = 'a-secret-for-tests';

/** A store in a separate folder, with a real HTTP server. */
export interface TestStore {
  dir: string;
  server: StorageServer;
  storage: ArtworkStorage;
  /** The server's log as one text. */
  logged(): string;
  target(input?: { sizeBytes?: number; key?: string }): Promise<UploadTarget>;
  /** The newest file of a key. */
  read(key: string): Promise<Readable>;
  /** A URL of the newest file of a key. */
  readUrl(key: string): Promise<string>;
  /** Every file below the folder, relative to it. */
  filesOnDisk(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startTestStore(options: Partial<StorageServerOptions> = {}): Promise<TestStore> {
  const dir = options.dir ?? (await mkdtemp(path.join(tmpdir(), 'artwork-')));
  const lines: string[] = [];
  const log = (fields: Record<string, unknown>, message: string): void => void lines.push(JSON.stringify({ ...fields, message }));
  const logger = { info: log, warn: log, error: log };
  const server = await startStorageServer({ dir, secret: SECRET, bindAddress: '127.0.0.1', port: 0, logger, ...options });
  const publicUrl = options.publicUrl ? `${server.url}${new URL(options.publicUrl).pathname}` : server.url;
  const storage = createLocalStorage({ dir, secret: SECRET, publicUrl, ...(options.clock && { clock: options.clock }) });
  const newestChecksum = async (key: string): Promise<string | null> => (await storage.stat(key, null))?.checksum ?? null;
  return {
    dir,
    server,
    storage,
    logged: () => lines.join('\n'),
    target: ({ key = newKey(), sizeBytes = 10 } = {}) => storage.createUploadTarget({ key, contentType: 'image/png', sizeBytes }),
    read: async (key) => storage.openRead(key, await newestChecksum(key)),
    readUrl: async (key) => storage.signedReadUrl(key, await newestChecksum(key)),
    filesOnDisk: async () => (await filesBelow(dir)).sort(),
    close: async () => {
      await server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export function newKey(): string {
  return `artwork/acc_${randomBytes(4).toString('hex')}/upl_${randomBytes(8).toString('hex')}.png`;
}

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)));
}

export interface StorageResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** One request whose path is sent exactly as given. */
export async function send(
  url: string,
  options: { method?: string; body?: Buffer | string; headers?: OutgoingHttpHeaders; path?: string } = {},
): Promise<StorageResponse> {
  const { body = '', method = 'PUT' } = options;
  const { hostname, port, pathname, search } = new URL(url);
  const target = options.path ?? `${pathname}${search}`;
  const request = httpRequest({ hostname, port, path: target, method, headers: options.headers ?? {}, agent: false });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
  });
  request.end(body);
  const message = await response;
  return { status: message.statusCode ?? 0, headers: message.headers, text: (await buffer(message)).toString('latin1') };
}

/** A PUT as the specification describes it. */
export function putBytes(uploadUrl: string, body: Buffer | string, contentType = 'image/png'): Promise<StorageResponse> {
  return send(uploadUrl, { body, headers: { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) } });
}

export function errorCodeOf(answer: StorageResponse): string {
  const body = JSON.parse(answer.text) as { data: null; error: { code: string; message: string } };
  expect(body.data).toBeNull();
  expect(Object.keys(body)).toEqual(['data', 'error']);
  return body.error.code;
}

/** A raw connection, for requests that no HTTP client would send. */
export async function openConnection(server: StorageServer): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return socket;
}

/** Everything that the server sends on a connection until it closes it. */
export async function readReply(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return text;
}

export function putRequestHead(url: string, contentLength: number, extra: string[] = []): string {
  const { host, pathname, search } = new URL(url);
  const lines = [`PUT ${pathname}${search} HTTP/1.1`, `Host: ${host}`, `Content-Length: ${contentLength}`, ...extra];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Length and SHA-256 of a stream, without buffering it. */
export async function readDigest(stream: Readable): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}
