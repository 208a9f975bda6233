import { TradePrint } from '@trade-print/client';
import { aPicture } from '../../../support/pictures';
import type { TestService } from '../../../support/service';

/** How many of a print, how wide and how high in mm. */
type PrintSize = readonly [quantity: number, widthMm: string, heightMm: string];

/** A client's own program: it knows the service by the client package and the key that it was given. */
export class Shop {
  private readonly client: TradePrint;

  constructor(service: TestService, apiKey: string) {
    this.client = new TradePrint({ apiKey, baseUrl: `http://127.0.0.1:${service.api.tradePort}/v1` });
  }

  /** Paints a picture so many pixels wide, three by four, and orders these prints of it. */
  async placeOrder(reference: string, pixelsWide: number, prints: readonly PrintSize[]): Promise<void> {
    const picture = await aPicture(pixelsWide, (pixelsWide / 3) * 4)
      .jpeg()
      .toBuffer();
    const { url } = await this.client.uploads.upload(new Blob([new Uint8Array(picture)]), {
      filename: `${reference}.jpg`,
      contentType: 'image/jpeg',
    });
    const items = prints.map(([quantity, artworkWidthMm, artworkHeightMm]) => ({
      productSlug: 'fine-art-printing',
      quantity,
      imageUrl: url,
      externalReference: reference,
      variantSelections: { artworkWidthMm, artworkHeightMm, mediaId: 'media-cotton-rag-310' },
    }));
    const { quoteId } = await this.client.quotes.create({ items, shippingAddress: ADA, shippingMethodId: 'standard-parcel' });
    await this.client.orders.create({ quoteId });
  }
}

const ADA = {
  name: 'Ada Customer',
  line1: '12 Hanging Lane',
  city: 'Melbourne',
  state: 'VIC',
  postcode: '3000',
  country: 'AU',
  email: 'ada@example.com',
};
