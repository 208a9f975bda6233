import { once } from 'node:events';
import { connect as netConnect, isIP, type Socket } from 'node:net';
import { connect as tlsConnect, type SecureContext, type TLSSocket } from 'node:tls';
import { Deadline } from '../runtime/deadline';
import { bareHost, isPublicAddress } from '../security/public-address';
import { AttemptFailure, systemCodeOf, measurePhase, type AttemptErrorCode, type AttemptProgress } from './outcome';
import { resolveLocally, type Resolve } from './resolve';
import type { Target } from './target';

/** Opens a TCP connection to a checked address. Returns before it is connected. */
export type Dial = (target: { address: string; port: number }) => Socket;

export interface ConnectOptions {
  resolve: Resolve;
  dial: Dial;
  /** The trusted authorities and TLS versions. */
  secureContext: () => SecureContext;
  /** A monotonic clock, ms. */
  monotonicMs: () => number;
}

interface OpenedSocket {
  socket: Socket;
  /** The monotonic time of the address check. */
  vettedAtMs: number;
}

/** How many addresses of a host name are tried, and the timeout of each one except the last. */
const MAX_ADDRESSES = 4;
const DIAL_TIMEOUT_MS = 2_500;

/** Error codes that show a fault of this machine, which does not count against the endpoint. */
const LOCAL_FAULT_CODES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS']);

export const dialAddress: Dial = ({ address, port }) => netConnect({ host: address, port, noDelay: true });

/**
 * Opens a connection to the target, with TLS for https. Every address of the host name must be public. The connection uses a checked
 * address, so a changed DNS answer cannot redirect it (ruling 38). TLS sessions are not resumed, because resuming one skips the check of
 * the certificate.
 * @throws AttemptFailure `dns`, `not_public`, `connect` or `tls`. Other errors are faults of this service.
 */
export async function openConnection(
  target: Target,
  options: ConnectOptions,
  signal: AbortSignal,
  progress: AttemptProgress,
): Promise<OpenedSocket> {
  const { url, isAllowedOrigin } = target;
  const host = bareHost(url);
  const addresses = isIP(host)
    ? [host]
    : await measurePhase(progress.timings, 'dnsMs', () => resolveAll(host, isAllowedOrigin, options, signal));
  if (!isAllowedOrigin && !addresses.every(isPublicAddress)) throw new AttemptFailure('not_public');
  const vettedAtMs = options.monotonicMs();
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const socket = await measurePhase(progress.timings, 'connectMs', () => dialFirst(addresses, port, options.dial, signal));
  if (url.protocol === 'http:') return { socket, vettedAtMs };
  return {
    socket: await measurePhase(progress.timings, 'tlsMs', () => startTls(socket, host, options.secureContext(), signal)),
    vettedAtMs,
  };
}

async function resolveAll(host: string, isAllowedOrigin: boolean, options: ConnectOptions, signal: AbortSignal): Promise<string[]> {
  const resolve = isAllowedOrigin ? resolveLocally : options.resolve;
  const addresses = await Promise.race([resolve(host, signal), once(signal, 'abort').then(() => [])]).catch(failWith('dns'));
  if (addresses.length === 0) throw new AttemptFailure('dns');
  return addresses;
}

/**
 * Connects to the first address that answers. IPv4 comes first, because few receivers lack it but many machines lack IPv6. The last one is
 * IPv6 if there is one, because some machines lack IPv4.
 */
async function dialFirst(addresses: readonly string[], port: number, dial: Dial, signal: AbortSignal): Promise<Socket> {
  const [ipv4, ipv6] = [4, 6].map((version) => [...new Set(addresses)].filter((address) => isIP(address) === version)) as [
    string[],
    string[],
  ];
  const candidates = [...ipv4.slice(0, ipv6.length === 0 ? MAX_ADDRESSES : MAX_ADDRESSES - 1), ...ipv6].slice(0, MAX_ADDRESSES);
  const last = candidates.pop() ?? '';
  for (const address of candidates) {
    const deadline = new Deadline([signal], DIAL_TIMEOUT_MS);
    const socket = await dialOne(address, port, dial, deadline.signal)
      .catch(nullIfAttemptFailed)
      .finally(() => deadline.release());
    if (socket !== null) return socket;
    if (signal.aborted) throw new AttemptFailure('connect');
  }
  return dialOne(last, port, dial, signal);
}

async function dialOne(address: string, port: number, dial: Dial, signal: AbortSignal): Promise<Socket> {
  const socket = ignoreErrorEvents(dial({ address, port }));
  await once(socket, 'connect', { signal }).catch(destroyAndFail(socket, 'connect'));
  return socket;
}

async function startTls(socket: Socket, host: string, secureContext: SecureContext, signal: AbortSignal): Promise<TLSSocket> {
  const tlsSocket = ignoreErrorEvents(
    tlsConnect({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    }),
  );
  const handshake = new Deadline([signal]);
  tlsSocket.once('close', () => handshake.abort());
  await once(tlsSocket, 'secureConnect', { signal: handshake.signal })
    .catch(destroyAndFail(tlsSocket, 'tls'))
    .finally(() => handshake.release());
  return tlsSocket;
}

/** Without a listener an error event would end the process. Pending operations still reject. */
function ignoreErrorEvents<S extends Socket>(socket: S): S {
  return socket.on('error', () => undefined);
}

function destroyAndFail(socket: Socket, errorCode: AttemptErrorCode): (error: unknown) => never {
  return (error) => {
    socket.destroy();
    return failWith(errorCode)(error);
  };
}

/** Passes on only the error's code, because its message contains the address. */
function failWith(errorCode: AttemptErrorCode): (error: unknown) => never {
  return (error) => {
    const code = systemCodeOf(error);
    if (LOCAL_FAULT_CODES.has(code)) throw new Error(`this machine cannot open a connection: ${code}`);
    throw new AttemptFailure(errorCode);
  };
}

function nullIfAttemptFailed(error: unknown): null {
  if (error instanceof AttemptFailure) return null;
  throw error;
}
