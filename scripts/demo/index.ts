import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TradePrint, type Order, type Quote, type QuoteRequest, type ShippingOption } from '@trade-print/client';
import { toDemoError, DemoError, expectRefusal, StudioClient } from './http';
import { DEMO_RECEIVER_PORT, DemoReceiver } from './receiver';

type PrintLine = (line: string) => void;

export interface DemoSettings {
  tradeUrl: string;
  studioUrl: string;
  adminToken: string;
  receiverPort: number;
  printLine: PrintLine;
}

/** The addresses and the admin token of the running service, from the settings that `npm start` reads. */
export function readDemoSettings(env: Record<string, string | undefined>, printLine: PrintLine): DemoSettings {
  const host = env.BIND_ADDRESS && env.BIND_ADDRESS !== '0.0.0.0' ? env.BIND_ADDRESS : '127.0.0.1';
  const tokenFile = path.join(env.DATA_DIR ?? '.data', 'admin-token');
  const adminToken = env.STUDIO_ADMIN_TOKEN ?? (existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : '');
  if (adminToken === '')
    throw new DemoError(
      `the admin token is missing: start the service with npm start, which writes ${tokenFile} (set DATA_DIR to the same value for both), or set STUDIO_ADMIN_TOKEN`,
    );
  return {
    tradeUrl: env.PUBLIC_BASE_URL ?? `http://${host}:${env.API_PORT ?? '8080'}/v1`,
    studioUrl: `http://${host}:${env.STUDIO_PORT ?? '8081'}/studio/v1`,
    adminToken,
    receiverPort: DEMO_RECEIVER_PORT,
    printLine,
  };
}

/** Runs the main job over HTTP, in the roles of a gallery's shop and of the studio. */
export async function runDemoJob({ tradeUrl, studioUrl, adminToken, receiverPort, printLine }: DemoSettings): Promise<void> {
  const studio = new StudioClient(studioUrl, adminToken);
  const receiver = new DemoReceiver(receiverPort, printLine);
  await receiver.start();
  try {
    await runMainJob({ studio, tradeUrl, receiver, printLine });
  } catch (error) {
    throw toDemoError(error);
  } finally {
    receiver.stop();
  }
}

interface JobContext {
  studio: StudioClient;
  tradeUrl: string;
  receiver: DemoReceiver;
  printLine: PrintLine;
}

async function runMainJob({ studio, tradeUrl, receiver, printLine }: JobContext): Promise<void> {
  const { trade, accountId } = await openAccount(studio, tradeUrl, printLine);
  await registerReceiver(studio, accountId, receiver, printLine);
  const job = new DemoJob(trade, studio, receiver, printLine);
  await job.readCatalogue();
  const artwork = await job.uploadArtwork();

  const first = await job.order(artwork, 'first order: from the quote to the parcel', true);
  await job.sendMilestone(first, 'the floor starts work', { type: 'production_started' });
  await job.sendMilestone(first, 'the artwork comes off the printer', { type: 'printed' });
  await job.sendMilestone(first, 'a scratch: the order is put on hold', { type: 'held', note: 'scratch on the glazing' });
  await job.sendMilestone(first, 'and released again', { type: 'released' });
  await job.ship(first);
  await job.waitForEvents(1 + 3 + 1);

  const second = await job.order(artwork, 'second order: cancelled in time');
  const cancelled = await trade.orders.cancel(second.orderId);
  printLine(`   the client cancels it                    → ${cancelled.status}, its invoice is void`);
  await job.waitForEvents(2);

  const third = await job.order(artwork, 'third order: cancelled too late');
  await job.sendMilestone(third, 'the floor starts work', { type: 'production_started' });
  await job.sendMilestone(third, 'the artwork comes off the printer', { type: 'printed' });
  const refusal = await expectRefusal('ORDER_NOT_CANCELLABLE', trade.orders.cancel(third.orderId));
  printLine(`   the client tries to cancel               → ${refusal.status} ${refusal.code}`);
  printLine(`     "${refusal.message}"`);
  await job.waitForEvents(2);
  printLine('');
  printLine('The main job is complete. The Temporal Web UI shows its workflows: order/… and quote/…');
}

/** Creates a trade account with a test key, so its orders do not reach production or real invoices. */
async function openAccount(
  studio: StudioClient,
  tradeUrl: string,
  printLine: PrintLine,
): Promise<{ trade: TradePrint; accountId: string }> {
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
  printLine(`The studio opens a trade account: ${account.name}, 20 % trade discount, credit limit $5,000.00`);
  printLine('and issues a test key, shown once. The client uses it for all further requests.');
  return { trade: new TradePrint({ apiKey: key, baseUrl: tradeUrl }), accountId: account.id };
}

async function registerReceiver(studio: StudioClient, accountId: string, receiver: DemoReceiver, printLine: PrintLine): Promise<void> {
  const { secret } = await studio.post<{ secret: string }>(`/accounts/${accountId}/webhook-endpoints`, {
    environment: 'test',
    url: `${receiver.origin}/webhooks`,
  });
  receiver.setSecret(secret);
  printLine(`The studio registers the client's webhook receiver at ${receiver.origin}; its secret is shown once.`);
}

class DemoJob {
  private mediaId = '';
  private expectedEvents = 0;
  constructor(
    private readonly trade: TradePrint,
    private readonly studio: StudioClient,
    private readonly receiver: DemoReceiver,
    private readonly printLine: PrintLine,
  ) {}

  /** Waits for `count` more events. The receiver prints each event. */
  async waitForEvents(count: number): Promise<void> {
    this.expectedEvents += count;
    await this.receiver.waitFor(this.expectedEvents);
  }

  async readCatalogue(): Promise<void> {
    const catalogue = await this.trade.catalogue.get();
    const paper = catalogue.media[0];
    if (paper === undefined) throw new DemoError('the catalogue has no paper');
    this.mediaId = paper.id;
    this.printHeading('catalogue');
    this.printLine(
      `   ${catalogue.products.length} products, ${catalogue.media.length} papers, ${catalogue.mouldings.length} mouldings; we print on ${paper.name}`,
    );
  }

  async uploadArtwork(): Promise<string> {
    const { default: sharp } = await import('sharp'); // loaded here, because other commands do not need it
    const picture = { width: 900, height: 1200, channels: 3, background: 'sandybrown' } as const;
    const bytes = await sharp({ create: picture }).png().toBuffer();
    this.printHeading('artwork');
    const { url, sizeBytes } = await this.trade.uploads.upload(bytes, { filename: 'dunes.png' });
    this.printLine(`   dunes.png, ${sizeBytes} bytes, uploaded by signed PUT`);
    return url;
  }

  /** Finds a delivery method, gets a quote and orders it. */
  async order(artwork: string, title: string, showSteps = false): Promise<Order> {
    this.printHeading(title);
    const basket = this.basket(artwork);
    const option = await this.discoverShipping(basket, showSteps);
    const quote = await this.trade.quotes.create({ ...basket, shippingMethodId: option.id });
    if (showSteps) this.printQuote(quote);
    const order = await this.trade.orders.create({ quoteId: quote.quoteId, specialInstructions: 'Please sign the back.' });
    this.printLine(`   order ${order.orderNumber} over ${formatDollars(order.totalCents)} on account     → ${order.status}`);
    return order;
  }

  async sendMilestone(order: Order, description: string, milestone: { type: string; note?: string }): Promise<void> {
    await this.studio.post(`/orders/${order.orderId}/milestones`, { milestoneId: crypto.randomUUID(), ...milestone });
    const current = await this.trade.orders.get(order.orderId);
    this.printLine(`   ${description.padEnd(40)} → the client reads: ${current.status}`);
  }

  async ship(order: Order): Promise<void> {
    await this.studio.post(`/orders/${order.orderId}/parcels`, {
      parcelId: crypto.randomUUID(),
      carrier: 'Coastal Couriers',
      trackingNumber: 'CC-20041-AU',
      trackingUrl: 'https://track.example/CC-20041-AU',
    });
    const current = await this.trade.orders.get(order.orderId);
    const parcel = current.shipments[0];
    if (parcel === undefined) throw new DemoError('the order does not show the parcel');
    this.printLine(
      `   ${'the parcel leaves'.padEnd(40)} → the client reads: ${current.status}, ${parcel.carrier} ${parcel.trackingNumber}`,
    );
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

  private async discoverShipping(basket: QuoteRequest, showSteps: boolean): Promise<ShippingOption> {
    const options = await this.trade.quotes.shippingOptions(basket);
    if (showSteps) {
      this.printLine('   a quote without a delivery method lists the available ones:');
      for (const { name, priceCents, estimatedDelivery, requiresQuote } of options)
        this.printLine(
          `     ${name.padEnd(36)} ${(requiresQuote ? 'on request' : formatDollars(priceCents)).padStart(10)}   ${estimatedDelivery}`,
        );
    }
    const option = options.find(({ requiresQuote, isCollection }) => !requiresQuote && !isCollection);
    if (option === undefined) throw new DemoError('no delivery method is available for the basket');
    return option;
  }

  private printQuote(quote: Quote): void {
    this.printLine(`   quote ${quote.quoteId.slice(0, 12)}…, price held until ${quote.expiresAt}`);
    for (const line of quote.lines)
      this.printLine(
        `     ${line.quantity} × ${line.productName} at ${formatDollars(line.unitPriceCents)}`.padEnd(42) +
          formatDollars(line.amountCents).padStart(10),
      );
    for (const [label, cents] of [
      ['trade discount', -quote.discountCents],
      ['shipping', quote.shippingCents],
      ['total', quote.totalCents],
      ['GST contained', quote.gstCents],
    ] as const) {
      this.printLine(`     ${label}`.padEnd(42) + formatDollars(cents).padStart(10));
    }
  }

  private printHeading(title: string): void {
    this.printLine('');
    this.printLine(`── ${title}`);
  }
}

const formatDollars = (cents: number): string => (cents / 100).toLocaleString('en-AU', { style: 'currency', currency: 'AUD' });
