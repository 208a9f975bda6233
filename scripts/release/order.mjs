// Places a live order over HTTP, from opening the account to the confirmation mail, to test the image.

import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { requestThrough } from './proxy.mjs';

const CUSTOMER = 'ada@customer.prints.com.au';

async function send(url, { method, token, body, headers } = {}) {
  const isJson = body !== undefined && !Buffer.isBuffer(body);
  const request = {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...(isJson && { 'content-type': 'application/json' }), ...headers },
    body: isJson ? JSON.stringify(body) : body,
  };
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`${method ?? 'GET'} ${url}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  return response;
}

const dataOf = async (response) => (await response.json()).data;

/** Repeats `ask` until it returns a truthy value. @throws Error after `seconds` */
export async function until(what, seconds, ask) {
  const end = Date.now() + seconds * 1000;
  let reason = '';
  while (Date.now() < end) {
    const result = await ask().catch((error) => {
      reason = `: ${error.message}`;
      return undefined;
    });
    if (result) return result;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${what} did not happen within ${seconds} s${reason}`);
}

/** Creates an account and its live key. */
export async function openAccount(studioUrl, token) {
  const account = { name: 'Release gallery', email: 'orders@gallery.prints.com.au', tradeDiscountBps: 2000, creditLimitCents: 500_000 };
  const { id } = await dataOf(await send(`${studioUrl}/accounts`, { method: 'POST', token, body: account }));
  const wanted = { environment: 'live', scopes: ['price:read', 'orders:read', 'orders:write'], name: 'release' };
  return dataOf(await send(`${studioUrl}/accounts/${id}/keys`, { method: 'POST', token, body: wanted }));
}

/** Uploads artwork through the proxy to the store, and orders a print of it. */
export async function placeOrder(tradeUrl, key, proxy) {
  const picture = await sharp({ create: { width: 1200, height: 1600, channels: 3, background: 'sandybrown' } })
    .png()
    .toBuffer();
  const upload = await dataOf(
    await send(`${tradeUrl}/uploads`, {
      method: 'POST',
      token: key,
      body: { filename: 'dunes.png', contentType: 'image/png', sizeBytes: picture.length },
    }),
  );
  const { status, text } = await requestThrough(proxy, upload.uploadUrl, {
    method: 'PUT',
    body: picture,
    headers: { 'content-type': 'image/png', 'content-length': picture.length },
  });
  if (status !== 200) throw new Error(`the upload is ${status} ${text.slice(0, 300)}`);
  const { media } = await dataOf(await send(`${tradeUrl}/catalogue`, { token: key }));
  const quote = await dataOf(
    await send(`${tradeUrl}/quotes`, {
      method: 'POST',
      token: key,
      body: {
        items: [
          {
            productSlug: 'fine-art-printing',
            quantity: 2,
            externalReference: '1',
            imageUrl: upload.url,
            variantSelections: { artworkWidthMm: '300', artworkHeightMm: '400', mediaId: media[0].id },
          },
        ],
        shippingAddress: {
          name: 'Ada 山田 עדה อาดา',
          line1: '12 Hanging Lane',
          city: 'Melbourne',
          state: 'VIC',
          postcode: '3000',
          country: 'AU',
          email: CUSTOMER,
        },
        shippingMethodId: 'standard-parcel',
        whiteLabel: false,
      },
    }),
  );
  return dataOf(
    await send(`${tradeUrl}/orders`, {
      method: 'POST',
      token: key,
      headers: { 'idempotency-key': randomUUID() },
      body: { quoteId: quote.quoteId },
    }),
  );
}

export async function fetchPdf(url, token) {
  const bytes = Buffer.from(await (await send(url, { token })).arrayBuffer());
  if (bytes.subarray(0, 5).toString() !== '%PDF-') throw new Error(`${url} is not a PDF`);
  return `${bytes.length} bytes`;
}

export async function fetchPreview(url, token) {
  const bytes = await until('the preview', 60, async () => Buffer.from(await (await send(url, { token })).arrayBuffer()));
  const { format, width, height } = await sharp(bytes).metadata();
  if (format !== 'webp') throw new Error(`the preview is ${format}`);
  return `${format}, ${width} × ${height}`;
}

export async function fetchConsole(root) {
  const page = await (await send(root)).text();
  const [, script] = /src="(\/assets\/[^"]*\.js)"/.exec(page) ?? [];
  if (script === undefined) throw new Error('the page names no script');
  return `${(await (await send(new URL(script, root))).text()).length} bytes of JavaScript`;
}

export async function waitForMail(mailUrl, orderNumber) {
  return until('the confirmation', 150, async () => {
    const { messages } = await (await send(mailUrl)).json();
    const mail = messages.find(({ To }) => To.some(({ Address }) => Address === CUSTOMER));
    if (mail === undefined) return undefined;
    if (!mail.Subject.includes(orderNumber)) throw new Error(`the mail is "${mail.Subject}"`);
    return mail.Subject;
  });
}

export const getJson = async (url, token) => (await send(url, { token })).json();
