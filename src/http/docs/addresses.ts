import type { Config } from '../../config';

/** Where this service's two APIs are, by the names that the guides' commands give them. The studio's has no public name of its own. */
export function exampleAddresses({
  publicBaseUrl,
  studioPort,
}: Pick<Config, 'publicBaseUrl' | 'studioPort'>): Readonly<Record<string, string>> {
  return { API: publicBaseUrl, STUDIO: `http://127.0.0.1:${studioPort}/studio/v1` };
}

/** For the studio's readers also where Temporal is, which is nothing for the public. */
export function studioExampleAddresses(
  config: Pick<Config, 'publicBaseUrl' | 'studioPort' | 'temporal'>,
): Readonly<Record<string, string>> {
  const { address, namespace } = config.temporal;
  return { ...exampleAddresses(config), TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
}
