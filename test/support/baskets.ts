import type { QuoteRequest } from '../../src/domain/quotes';
import { newId, newSecret } from '../../src/security/ids';
import type { HttpClient, Reply } from './client';

export const anAddress = (overrides: Record<string, unknown> = {}) => ({
  name: 'Ada Customer', line1: '12 Hanging Lane', city: 'Melbourne', state: 'VIC', postcode: '3000', country: 'AU', email: 'ada@example.com', ...overrides,
});

/** A small fine-art print that needs no options; `imageUrl` from `uploadArtwork`. */
export const aLine = (imageUrl: string, overrides: Record<string, unknown> = {}) => ({
  productSlug: 'fine-art-printing', quantity: 1, imageUrl,
  variantSelections: { artworkWidthMm: '300', artworkHeightMm: '400', mediaId: 'media-cotton-rag-310' }, ...overrides,
});

/** The url of a declared upload: ownership is what a quote asks for, the bytes may follow. */
export async function uploadArtwork(trade: HttpClient): Promise<string> {
  const reply = await trade.post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 10 });
  if (reply.status !== 201) throw new Error(`upload: ${reply.status} ${reply.text}`);
  return reply.json.data.url;
}

/** A request that gets a quote; discovers the delivery method first. */
export async function aQuoteRequest(trade: HttpClient, overrides: Record<string, unknown> = {}): Promise<QuoteRequest> {
  const request = { items: [aLine(await uploadArtwork(trade))], shippingAddress: anAddress(), ...overrides };
  const discovery = await trade.post('/quotes', request);
  const option = discovery.json.error?.details?.shippingOptions?.find((candidate: { requiresQuote: boolean; isCollection: boolean }) => !candidate.requiresQuote && !candidate.isCollection);
  if (option === undefined) throw new Error(`discovery: ${discovery.status} ${discovery.text}`);
  return { shippingMethodId: option.id, ...request } as QuoteRequest;
}

export async function aQuote(trade: HttpClient, overrides: Record<string, unknown> = {}): Promise<any> {
  const reply = await trade.post('/quotes', await aQuoteRequest(trade, overrides));
  if (reply.status !== 201) throw new Error(`quote: ${reply.status} ${reply.text}`);
  return reply.json.data;
}

export const aKeyHeader = (): Record<string, string> => ({ 'idempotency-key': newSecret() });

export function placeOrder(trade: HttpClient, quoteId: string, headers = aKeyHeader(), body: Record<string, unknown> = {}): Promise<Reply> {
  return trade.post('/orders', { quoteId, ...body }, headers);
}

/** A placed order. */
export async function anOrder(trade: HttpClient, overrides: Record<string, unknown> = {}): Promise<any> {
  const reply = await placeOrder(trade, (await aQuote(trade, overrides)).quoteId);
  if (reply.status !== 201) throw new Error(`order: ${reply.status} ${reply.text}`);
  return reply.json.data;
}

export const unknownId = newId;
