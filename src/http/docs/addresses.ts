import type { Config } from '../../config/config';

/** The base URLs of both APIs, by their variable names in the guides. */
export function exampleAddresses({
  publicBaseUrl,
  studioPort,
}: Pick<Config, 'publicBaseUrl' | 'studioPort'>): Readonly<Record<string, string>> {
  return { API: publicBaseUrl, STUDIO: `http://127.0.0.1:${studioPort}/studio/v1` };
}

/** Guides for the studio also contain the address of Temporal. */
export function studioExampleAddresses(
  config: Pick<Config, 'publicBaseUrl' | 'studioPort' | 'temporal'>,
): Readonly<Record<string, string>> {
  const { address, namespace } = config.temporal;
  return { ...exampleAddresses(config), TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
}
