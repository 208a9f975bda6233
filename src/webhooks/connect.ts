import { once } from 'node:events';
import { connect as netConnect, isIP, type Socket } from 'node:net';
import { connect as tlsConnect, type SecureContext, type TLSSocket } from 'node:tls';
import { bareHost, isPublicAddress } from '../security/public-address';
import { AttemptFailure, systemCodeOf, measurePhase, type AttemptErrorCode, type AttemptProgress } from './outcome';
import { resolveLocally, type Resolve } from './resolve';
import type { Target } from './target';

/** Opens a TCP connection to one address that has been vetted; returns at once. */
export type Dial = (target: { address: string; port: number }) => Socket;

export interface ConnectOptions {
  resolve: Resolve;
  dial: Dial;
  /** Whom to trust, and which TLS to speak. */
  secureContext: () => SecureContext;
  /** A clock that never goes back, in ms. */
  monotonicMs: () => number;
}

interface OpenedSocket {
  socket: Socket;
  /** When its address was vetted, by the monotonic clock. */
  vettedAtMs: number;
}

/** How many addresses of a name are tried, and how long each but the last may keep silent. */
const MAX_ADDRESSES = 4;
const DIAL_TIMEOUT_MS = 2_500;

/** The machine is out of something; the endpoint is not to blame. */
const LOCAL_FAULT_CODES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS']);

export const dialAddress: Dial = ({ address, port }) => netConnect({ host: address, port, noDelay: true });

/**
 * A connection to the target, encrypted for https: the name is resolved anew, every address it has must be public, and the
 * connection goes to one of those very addresses, so the name cannot change its mind in between (ruling 38). The certificate
 * is checked against the name, each time: no TLS session is resumed, because a resumed one is not checked again.
 * @throws AttemptFailure `dns`, `not_public`, `connect` or `tls`. Any other error is a fault of ours.
 */
export async function openConnection(
  target: Target,
  options: ConnectOptions,
  signal: AbortSignal,
  progress: AttemptProgress,
): Promise<OpenedSocket> {
  const { url, exempt } = target;
  const host = bareHost(url);
  const addresses = isIP(host) ? [host] : await measurePhase(progress.timings, 'dnsMs', () => resolveAll(host, exempt, options, signal));
  if (!exempt && !addresses.every(isPublicAddress)) throw new AttemptFailure('not_public');
  const vettedAtMs = options.monotonicMs();
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const socket = await measurePhase(progress.timings, 'connectMs', () => dialFirst(addresses, port, options.dial, signal));
  if (url.protocol === 'http:') return { socket, vettedAtMs };
  return {
    socket: await measurePhase(progress.timings, 'tlsMs', () => startTls(socket, host, options.secureContext(), signal)),
    vettedAtMs,
  };
}

async function resolveAll(host: string, exempt: boolean, options: ConnectOptions, signal: AbortSignal): Promise<string[]> {
  const resolve = exempt ? resolveLocally : options.resolve;
  const addresses = await Promise.race([resolve(host, signal), once(signal, 'abort').then(() => [])]).catch(failWith('dns'));
  if (addresses.length === 0) throw new AttemptFailure('dns');
  return addresses;
}

/** The first address that answers; IPv4 first, because machines without IPv6 are more common than receivers without IPv4. */
async function dialFirst(addresses: readonly string[], port: number, dial: Dial, signal: AbortSignal): Promise<Socket> {
  const candidates = [...new Set(addresses)].sort((a, b) => isIP(a) - isIP(b)).slice(0, MAX_ADDRESSES);
  const last = candidates.pop() ?? '';
  for (const address of candidates) {
    const socket = await dialOne(address, port, dial, AbortSignal.any([signal, AbortSignal.timeout(DIAL_TIMEOUT_MS)])).catch(
      nullIfAttemptFailed,
    );
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
  const handshake = new AbortController();
  tlsSocket.once('close', () => handshake.abort());
  await once(tlsSocket, 'secureConnect', { signal: AbortSignal.any([signal, handshake.signal]) }).catch(destroyAndFail(tlsSocket, 'tls'));
  return tlsSocket;
}

/** An error nobody listens to would end the process; whoever waits on the socket hears it all the same. */
function ignoreErrorEvents<S extends Socket>(socket: S): S {
  return socket.on('error', () => undefined);
}

function destroyAndFail(socket: Socket, errorCode: AttemptErrorCode): (error: unknown) => never {
  return (error) => {
    socket.destroy();
    return failWith(errorCode)(error);
  };
}

/** The system's own text names the address, so nothing but its code is passed on. */
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
