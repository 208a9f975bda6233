import type { Config } from '../../config';

/** Where this service's two APIs are, by the names that the guides' commands give them. The studio's has no public name of its own. */
export function addressesOf({ publicBaseUrl, studioPort }: Pick<Config, 'publicBaseUrl' | 'studioPort'>): Readonly<Record<string, string>> {
  return { API: publicBaseUrl, STUDIO: `http://127.0.0.1:${studioPort}/studio/v1` };
}
