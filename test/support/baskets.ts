import { request as send } from 'undici';
import type { QuoteRequest } from '../../src/domain/basket/quote-request';
import { newId, newSecret } from '../../src/security/ids';
import type { HttpClient, Reply } from './client';
import { repeatWhileOverloaded } from './repeat';

export const anAddress = (overrides: Record<string, unknown> = {}) => ({
  name: 'Ada Customer',
  line1: '12 Hanging Lane',
  city: 'Melbourne',
  state: 'VIC',
  postcode: '3000',
  country: 'AU',
  email: 'ada@example.com',
  ...overrides,
});

/** A small fine-art print that needs no options; `imageUrl` from `uploadArtwork`. */
export const aLine = (imageUrl: string, overrides: Record<string, unknown> = {}) => ({
  productSlug: 'fine-art-printing',
  quantity: 1,
  imageUrl,
  variantSelections: { artworkWidthMm: '300', artworkHeightMm: '400', mediaId: 'media-cotton-rag-310' },
  ...overrides,
});

/** A declared upload; ten bytes may follow, with `sendArtwork`. */
export async function declareArtwork(trade: HttpClient): Promise<{ url: string; uploadUrl: string; key: string; uploadId: string }> {
  const upload = { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 10 };
  const reply = await repeatWhileOverloaded(() => trade.post('/uploads', upload));
  if (reply.status !== 201) throw new Error(`upload: ${reply.status} ${reply.text}`);
  return reply.json.data;
}

/** PUTs bytes like a client. @returns the status, and the code of an error */
export async function sendArtwork(uploadUrl: string, bytes = '0123456789'): Promise<{ status: number; code: string | null }> {
  const reply = await send(uploadUrl, { method: 'PUT', body: bytes, headers: { 'content-type': 'image/jpeg' } });
  const text = await reply.body.text();
  // An S3-compatible store answers without a body, or in XML.
  const { error } = (text.startsWith('{') ? JSON.parse(text) : {}) as { error?: { code: string } | null };
  return { status: reply.statusCode, code: error?.code ?? null };
}

/** The url of an upload with bytes. */
export async function uploadArtwork(trade: HttpClient): Promise<string> {
  const { url, uploadUrl } = await declareArtwork(trade);
  const { status } = await sendArtwork(uploadUrl);
  if (status !== 200) throw new Error(`the bytes of an upload: ${status}`);
  return url;
}

/** A request that gets a quote, after a request for the delivery method unless it has one. */
export async function aQuoteRequest(trade: HttpClient, overrides: Record<string, unknown> = {}): Promise<QuoteRequest> {
  const request = { items: overrides.items ?? [aLine(await uploadArtwork(trade))], shippingAddress: anAddress(), ...overrides };
  if ('shippingMethodId' in request) return request as QuoteRequest;
  const discovery = await repeatWhileOverloaded(() => trade.post('/quotes', request));
  const option = discovery.json.error?.details?.shippingOptions?.find(
    (candidate: { requiresQuote: boolean; isCollection: boolean }) => !candidate.requiresQuote && !candidate.isCollection,
  );
  if (option === undefined) throw new Error(`discovery: ${discovery.status} ${discovery.text}`);
  return { shippingMethodId: option.id, ...request } as QuoteRequest;
}

export async function aQuote(trade: HttpClient, overrides: Record<string, unknown> = {}): Promise<any> {
  const request = await aQuoteRequest(trade, overrides);
  const reply = await repeatWhileOverloaded(() => trade.post('/quotes', request));
  if (reply.status !== 201) throw new Error(`quote: ${reply.status} ${reply.text}`);
  return reply.json.data;
}

export const anIdempotencyKeyHeader = (): Record<string, string> => ({ 'idempotency-key': newSecret() });

export function placeOrder(
  trade: HttpClient,
  quoteId: string,
  headers = anIdempotencyKeyHeader(),
  body: Record<string, unknown> = {},
): Promise<Reply> {
  return trade.post('/orders', { quoteId, ...body }, headers);
}

/** A placed order. */
export async function anOrder(trade: HttpClient, overrides: Record<string, unknown> = {}): Promise<any> {
  const [{ quoteId }, header] = [await aQuote(trade, overrides), anIdempotencyKeyHeader()];
  const reply = await repeatWhileOverloaded(() => placeOrder(trade, quoteId, header));
  if (reply.status !== 201) throw new Error(`order: ${reply.status} ${reply.text}`);
  return reply.json.data;
}

export const unknownId = newId;
