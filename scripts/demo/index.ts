import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TradePrint, type Order, type Quote, type QuoteRequest, type ShippingOption } from '@trade-print/client';
import { asProblem, DemoProblem, refused, StudioClient } from './http';
import { DEMO_RECEIVER_ORIGIN, DemoReceiver } from './receiver';

type Say = (line: string) => void;

export interface DemoSettings {
  tradeUrl: string;
  studioUrl: string;
  adminToken: string;
  say: Say;
}

/** Where the running service is and how to speak as its admin, from the same settings that `npm start` reads. */
export function demoSettings(env: Record<string, string | undefined>, say: Say): DemoSettings {
  const host = env.BIND_ADDRESS && env.BIND_ADDRESS !== '0.0.0.0' ? env.BIND_ADDRESS : '127.0.0.1';
  const tokenFile = path.join(env.DATA_DIR ?? '.data', 'admin-token');
  const adminToken = env.STUDIO_ADMIN_TOKEN ?? (existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : '');
  if (adminToken === '')
    throw new DemoProblem(
      `no admin token: start the service with npm start (it keeps one in ${tokenFile}; where it was started with DATA_DIR, set the same here), or set STUDIO_ADMIN_TOKEN`,
    );
  return {
    tradeUrl: env.PUBLIC_BASE_URL ?? `http://${host}:${env.API_PORT ?? '8080'}/v1`,
    studioUrl: `http://${host}:${env.STUDIO_PORT ?? '8081'}/studio/v1`,
    adminToken,
    say,
  };
}

/** Plays the main job over real HTTP, as a gallery's shop software and as the studio's floor would. */
export async function playDemo({ tradeUrl, studioUrl, adminToken, say }: DemoSettings): Promise<void> {
  const studio = new StudioClient(studioUrl, adminToken);
  const receiver = new DemoReceiver(say);
  await receiver.start();
  try {
    await playJob({ studio, tradeUrl, receiver, say });
  } catch (error) {
    throw asProblem(error);
  } finally {
    receiver.stop();
  }
}

interface Stage {
  studio: StudioClient;
  tradeUrl: string;
  receiver: DemoReceiver;
  say: Say;
}

async function playJob({ studio, tradeUrl, receiver, say }: Stage): Promise<void> {
  const { trade, accountId } = await openAccount(studio, tradeUrl, say);
  await registerReceiver(studio, accountId, receiver, say);
  const job = new Job(trade, studio, receiver, say);
  await job.readCatalogue();
  const artwork = await job.uploadArtwork();

  const first = await job.order(artwork, 'first order: followed from the quote to the parcel', true);
  await job.floor(first, 'the floor starts work', { type: 'production_started' });
  await job.floor(first, 'the artwork comes off the printer', { type: 'printed' });
  await job.floor(first, 'a scratch: the order is put on hold', { type: 'held', note: 'scratch on the glazing' });
  await job.floor(first, 'and released again', { type: 'released' });
  await job.ship(first);
  await job.hear(1 + 3 + 1);

  const second = await job.order(artwork, 'second order: cancelled in time');
  const cancelled = await trade.orders.cancel(second.orderId);
  say(`   the client cancels it                    → ${cancelled.status}, its invoice is void`);
  await job.hear(2);

  const third = await job.order(artwork, 'third order: cancelled too late');
  await job.floor(third, 'the floor starts work', { type: 'production_started' });
  await job.floor(third, 'the artwork comes off the printer', { type: 'printed' });
  const refusal = await refused('ORDER_NOT_CANCELLABLE', trade.orders.cancel(third.orderId));
  say(`   the client tries to cancel               → ${refusal.status} ${refusal.code}`);
  say(`     "${refusal.message}"`);
  await job.hear(2);
  say('');
  say('That is the main job. The workflows are in the Temporal Web UI: look for order/… and quote/…');
}

/** A trade account of the demo's own with a test key: nothing it does reaches the floor's job list or an invoice run. */
async function openAccount(studio: StudioClient, tradeUrl: string, say: Say): Promise<{ trade: TradePrint; accountId: string }> {
  const account = await studio.post<{ id: string; name: string }>('/accounts', {
    name: `Gallery ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`,
    email: 'orders@gallery.example',
    tradeDiscountBps: 2000,
    creditLimitCents: 500_000,
  });
  const { key } = await studio.post<{ key: string }>(`/accounts/${account.id}/keys`, {
    environment: 'test',
    scopes: ['price:read', 'orders:read', 'orders:write'],
    name: 'demo',
  });
  say(`The studio opens a trade account: ${account.name}, 20 % trade discount, credit limit $5,000.00`);
  say('and issues a test key, shown once. From here on everything is what a client does with it.');
  return { trade: new TradePrint({ apiKey: key, baseUrl: tradeUrl }), accountId: account.id };
}

async function registerReceiver(studio: StudioClient, accountId: string, receiver: DemoReceiver, say: Say): Promise<void> {
  const { secret } = await studio.post<{ secret: string }>(`/accounts/${accountId}/webhook-endpoints`, {
    environment: 'test',
    url: `${DEMO_RECEIVER_ORIGIN}/webhooks`,
  });
  receiver.useSecret(secret);
  say(`The studio registers the client's webhook receiver at ${DEMO_RECEIVER_ORIGIN}; its secret is shown once.`);
}

class Job {
  private mediaId = '';
  private heard = 0;
  constructor(
    private readonly trade: TradePrint,
    private readonly studio: StudioClient,
    private readonly receiver: DemoReceiver,
    private readonly say: Say,
  ) {}

  /** Waits for so many further events at the receiver, which says each as it comes. */
  async hear(events: number): Promise<void> {
    this.heard += events;
    await this.receiver.waitFor(this.heard);
  }

  async readCatalogue(): Promise<void> {
    const catalogue = await this.trade.catalogue.get();
    const paper = catalogue.media[0];
    if (paper === undefined) throw new DemoProblem('the catalogue has no paper');
    this.mediaId = paper.id;
    this.heading('catalogue');
    this.say(
      `   ${catalogue.products.length} products, ${catalogue.media.length} papers, ${catalogue.mouldings.length} mouldings; we print on ${paper.name}`,
    );
  }

  async uploadArtwork(): Promise<string> {
    const { default: sharp } = await import('sharp'); // other commands need not load it
    const picture = { width: 900, height: 1200, channels: 3, background: 'sandybrown' } as const;
    const bytes = await sharp({ create: picture }).png().toBuffer();
    this.heading('artwork');
    const { url, sizeBytes } = await this.trade.uploads.upload(bytes, { filename: 'dunes.png' });
    this.say(`   dunes.png, ${sizeBytes} bytes, uploaded by signed PUT`);
    return url;
  }

  /** Discovers delivery, gets a quote and orders it; `inDetail` shows the steps. */
  async order(artwork: string, title: string, inDetail = false): Promise<Order> {
    this.heading(title);
    const basket = this.basket(artwork);
    const option = await this.discover(basket, inDetail);
    const quote = await this.trade.quotes.create({ ...basket, shippingMethodId: option.id });
    if (inDetail) this.showQuote(quote);
    const order = await this.trade.orders.create({ quoteId: quote.quoteId, specialInstructions: 'Please sign the back.' });
    this.say(`   order ${order.orderNumber} over ${dollars(order.totalCents)} on account     → ${order.status}`);
    return order;
  }

  async floor(order: Order, what: string, milestone: { type: string; note?: string }): Promise<void> {
    await this.studio.post(`/orders/${order.orderId}/milestones`, { milestoneId: crypto.randomUUID(), ...milestone });
    const seen = await this.trade.orders.get(order.orderId);
    this.say(`   ${what.padEnd(40)} → the client reads: ${seen.status}`);
  }

  async ship(order: Order): Promise<void> {
    await this.studio.post(`/orders/${order.orderId}/parcels`, {
      parcelId: crypto.randomUUID(),
      carrier: 'Coastal Couriers',
      trackingNumber: 'CC-20041-AU',
      trackingUrl: 'https://track.example/CC-20041-AU',
    });
    const seen = await this.trade.orders.get(order.orderId);
    const parcel = seen.shipments[0];
    if (parcel === undefined) throw new DemoProblem('the parcel does not show on the order');
    this.say(`   ${'the parcel leaves'.padEnd(40)} → the client reads: ${seen.status}, ${parcel.carrier} ${parcel.trackingNumber}`);
  }

  private basket(artwork: string): QuoteRequest {
    return {
      items: [
        {
          productSlug: 'fine-art-printing',
          quantity: 2,
          imageUrl: artwork,
          externalReference: 'dunes-a2',
          variantSelections: { artworkWidthMm: '420', artworkHeightMm: '560', mediaId: this.mediaId, borderMm: '20' },
        },
      ],
      shippingAddress: {
        name: 'Ada Customer',
        line1: '12 Hanging Lane',
        city: 'Melbourne',
        state: 'VIC',
        postcode: '3000',
        country: 'AU',
        email: 'ada@customer.example',
      },
    };
  }

  private async discover(basket: QuoteRequest, inDetail: boolean): Promise<ShippingOption> {
    const options = await this.trade.quotes.shippingOptions(basket);
    if (inDetail) {
      this.say('   a quote without a delivery method tells which there are:');
      for (const { name, priceCents, estimatedDelivery, requiresQuote } of options)
        this.say(`     ${name.padEnd(36)} ${(requiresQuote ? 'on request' : dollars(priceCents)).padStart(10)}   ${estimatedDelivery}`);
    }
    const option = options.find(({ requiresQuote, isCollection }) => !requiresQuote && !isCollection);
    if (option === undefined) throw new DemoProblem('no delivery method carries the basket');
    return option;
  }

  private showQuote(quote: Quote): void {
    this.say(`   quote ${quote.quoteId.slice(0, 12)}…, price held until ${quote.expiresAt}`);
    for (const line of quote.lines)
      this.say(
        `     ${line.quantity} × ${line.productName} at ${dollars(line.unitPriceCents)}`.padEnd(42) +
          dollars(line.amountCents).padStart(10),
      );
    for (const [label, cents] of [
      ['trade discount', -quote.discountCents],
      ['shipping', quote.shippingCents],
      ['total', quote.totalCents],
      ['GST contained', quote.gstCents],
    ] as const) {
      this.say(`     ${label}`.padEnd(42) + dollars(cents).padStart(10));
    }
  }

  private heading(title: string): void {
    this.say('');
    this.say(`── ${title}`);
  }
}

const dollars = (cents: number): string => (cents / 100).toLocaleString('en-AU', { style: 'currency', currency: 'AUD' });
