import { readFile } from 'node:fs/promises';
import { Connection, type ConnectionOptions } from '@temporalio/client';
import type { TemporalConfig } from '../config';

type SharedOptions = Pick<ConnectionOptions, 'address' | 'tls'> & { apiKey?: string };

/** Connects lazily: the API starts, and reads work, while Temporal is away. */
export async function connectLazily(config: TemporalConfig): Promise<Connection> {
  return Connection.lazy({ ...(await connectionOptions(config)), connectTimeout: '5s' });
}

/** What client and worker connections have in common: address, TLS, API key. */
export async function connectionOptions(config: TemporalConfig): Promise<SharedOptions> {
  const options: SharedOptions = { address: config.address };
  if (config.apiKey !== null) options.apiKey = config.apiKey;
  if (config.tls !== null) options.tls = await tlsOptions(config.tls);
  else if (config.apiKey !== null) options.tls = true;
  return options;
}

async function tlsOptions(tls: NonNullable<TemporalConfig['tls']>) {
  const [crt, key, ca] = await Promise.all([tls.certFile, tls.keyFile, tls.caFile].map((file) => (file === null ? null : readFile(file))));
  return {
    ...(crt && key ? { clientCertPair: { crt, key } } : {}),
    ...(ca ? { serverRootCACertificate: ca } : {}),
    ...(tls.serverName ? { serverNameOverride: tls.serverName } : {}),
  };
}
