/** A receiver at the level of sockets, which can misbehave in every way, over real TLS or plain HTTP. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificates';

export interface ReceivedRequest {
  requestLine: string;
  /** Names with their sent spelling. */
  headers: Record<string, string>;
  rawBody: Buffer;
}

export type RawResponder = (socket: Socket, request: ReceivedRequest) => void;

export interface Receiver {
  port: number;
  requests: ReceivedRequest[];
  /** TCP connections so far, with or without requests. */
  connections(): number;
  /** Resolves when every connection is closed. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Listens on loopback and calls `answer` for each complete request. */
export async function startReceiver(answer: RawResponder, certificate: Certificate | null = null): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const onSocket = (socket: Socket): void => {
    readRequest(socket, (request) => {
      requests.push(request);
      answer(socket, request);
    });
  };
  const server: Server =
    certificate === null
      ? createServer(onSocket)
      : createTlsServer({ cert: certificate.cert, key: certificate.key }, onSocket).on('tlsClientError', () => undefined);
  const listening = await listen(server);
  return { ...listening, requests };
}

/** Listens, counts connections, and sends nothing. `onConnection` may send. */
export async function startSilentReceiver(onConnection: (socket: Socket) => void = (socket) => socket.destroy()): Promise<Receiver> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  return { ...(await listen(server)), requests: [] };
}

async function listen(server: Server): Promise<Omit<Receiver, 'requests'>> {
  const open = new Set<Socket>();
  const waiting = new Set<() => void>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (open.size > 0) return;
      for (const done of waiting) done();
      waiting.clear();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    idle: async () => {
      if (open.size > 0) await new Promise<void>((resolve) => waiting.add(resolve));
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A client's connections end in many ways here, so their errors are ignored. */
function readRequest(socket: Socket, onRequest: (request: ReceivedRequest) => void): void {
  let bytes = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const parsed = parseRequest(bytes);
    if (parsed === null) return;
    bytes = bytes.subarray(parsed.length);
    onRequest(parsed.request);
  };
  socket.on('error', () => undefined);
  socket.on('data', onData);
}

function parseRequest(bytes: Buffer): { request: ReceivedRequest; length: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [requestLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
  const length = end + 4 + Number(headers['Content-Length']);
  return bytes.length < length ? null : { request: { requestLine, headers, rawBody: bytes.subarray(end + 4, length) }, length };
}

/** Writes bytes as they are, and leaves the connection open. */
export function writeText(text: string): RawResponder {
  return (socket) => void socket.write(text);
}

/** A complete HTTP/1.1 reply on a connection that stays open. */
export function replyKeepingAlive(status: number, body = '', headers: string[] = []): RawResponder {
  const head = [`HTTP/1.1 ${status} Whatever`, ...headers, ...(status === 204 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`])];
  return writeText(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Responses in sequence over all connections. The last one repeats. */
export function replyInSequence(...answers: [RawResponder, ...RawResponder[]]): RawResponder {
  let next = 0;
  return (socket, request) => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    answer?.(socket, request);
  };
}

/** A complete HTTP/1.1 reply, then the end of the connection. */
export function replyAndClose(status: number, body: string | Buffer = '', headers: string[] = []): RawResponder {
  return (socket) => {
    const head = [`HTTP/1.1 ${status} Whatever`, ...headers, ...(status === 204 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`])];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.end(body);
  };
}

/** Sends `piece` every few ms until the connection closes. */
export function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 5);
  socket.once('close', () => clearInterval(timer));
}

/** Sends at the speed of the reader until the connection closes. */
export function flood(socket: Socket, piece: Buffer): void {
  const pour = (): void => {
    while (!socket.destroyed && socket.write(piece)) continue;
  };
  socket.on('drain', pour);
  pour();
}
