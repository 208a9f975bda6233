import type { CatalogueSnapshot } from '../../db/repositories/catalogue';
import { LIMITS } from '../../domain/limits';
import { presentCatalogue } from '../../presenters/catalogue';
import { successBody } from '../../presenters/envelope';
import { sha256 } from '../../security/fingerprint';
import type { Answer, TradeRequest } from '../types';

interface Rendered {
  text: string;
  etag: string;
}
const rendered = new WeakMap<CatalogueSnapshot, Rendered>();

/** `GET /catalogue`: the twelve sections. Large and the same for all, so clients may keep it for 60 seconds and ask by ETag (ruling 12). */
export async function getCatalogue({ deps, headers }: TradeRequest): Promise<Answer> {
  const { text, etag } = render(await deps.catalogue.read(deps.database));
  const cache = { 'Cache-Control': `private, max-age=${LIMITS.catalogueCacheSeconds}`, ETag: etag };
  return matches(headers['if-none-match'], etag) ? { status: 304, headers: cache } : { text, headers: cache };
}

function render(snapshot: CatalogueSnapshot): Rendered {
  const known = rendered.get(snapshot);
  if (known !== undefined) return known;
  const text = successBody(presentCatalogue(snapshot.onOffer));
  const fresh = { text, etag: `"${sha256(text).slice(0, 32)}"` };
  rendered.set(snapshot, fresh);
  return fresh;
}

function matches(header: string | string[] | undefined, etag: string): boolean {
  const tags = String(header ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
