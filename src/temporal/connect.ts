import { readFile } from 'node:fs/promises';
import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor, type ConnectionOptions } from '@temporalio/client';
import { ConfigError, type TemporalConfig } from '../config/config';

/** Reconnects within about a second after an outage. gRPC's default back-off is two minutes. */
const RECONNECT_OPTIONS = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1000 };

/** gRPC would use the proxy of `http_proxy` for this machine too. */
const WITHOUT_PROXY = { 'grpc.enable_http_proxy': 0 };
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\]):/;

/** gRPC's status of an abandoned call. */
const CANCELLED = 1;

type SharedOptions = Pick<ConnectionOptions, 'address' | 'tls'> & { apiKey?: string };

/** Connects lazily, because the API must start and serve reads while Temporal is unavailable. */
export async function connectLazily(config: TemporalConfig): Promise<Connection> {
  const options = await connectionOptions(config);
  return Connection.lazy({
    ...options,
    connectTimeout: '5s',
    channelArgs: { ...RECONNECT_OPTIONS, ...(LOOPBACK.test(options.address ?? '') && WITHOUT_PROXY) },
    interceptors: [retriesUntilClosed],
  });
}

type Interceptor = ReturnType<typeof makeGrpcRetryInterceptor>;
type Call = ReturnType<Parameters<Interceptor>[1]>;

/**
 * Retries as the SDK does. A call whose connection was closed between two attempts ends as CANCELLED. The SDK's own interceptor would throw
 * in a timer and end the process (@temporalio/client 1.24.0; no upstream issue).
 */
const retriesUntilClosed: Interceptor = (options, nextCall) =>
  makeGrpcRetryInterceptor(defaultGrpcRetryOptions())(options, (attempt) => {
    try {
      return nextCall(attempt);
    } catch (error) {
      return cancelledCall(error instanceof Error ? error.message : String(error));
    }
  });

function cancelledCall(details: string): Call {
  const noop = (): void => undefined;
  return {
    start(metadata, listener) {
      listener?.onReceiveMessage?.(null);
      listener?.onReceiveStatus?.({ code: CANCELLED, details, metadata });
    },
    sendMessage: noop,
    sendMessageWithContext: noop,
    startRead: noop,
    halfClose: noop,
    cancelWithStatus: noop,
    getPeer: () => '',
    getAuthContext: () => null,
  };
}

/** Options that client and worker connections share: address, TLS, API key. */
export async function connectionOptions(config: TemporalConfig): Promise<SharedOptions> {
  const options: SharedOptions = { address: config.address };
  if (config.apiKey !== null) options.apiKey = config.apiKey;
  if (config.tls !== null) options.tls = await tlsOptions(config.tls);
  else if (config.apiKey !== null) options.tls = true;
  return options;
}

async function tlsOptions(tls: NonNullable<TemporalConfig['tls']>) {
  const [crt, key, ca] = await Promise.all([
    readSetting('TEMPORAL_TLS_CERT_FILE', tls.certFile),
    readSetting('TEMPORAL_TLS_KEY_FILE', tls.keyFile),
    readSetting('TEMPORAL_TLS_CA_FILE', tls.caFile),
  ]);
  return {
    ...(crt && key ? { clientCertPair: { crt, key } } : {}),
    ...(ca ? { serverRootCACertificate: ca } : {}),
    ...(tls.serverName ? { serverNameOverride: tls.serverName } : {}),
  };
}

async function readSetting(name: string, file: string | null): Promise<Buffer | null> {
  if (file === null) return null;
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`${name}: ${file} cannot be read (${error.code}); name a file that the user of the process can read`]);
  });
}
