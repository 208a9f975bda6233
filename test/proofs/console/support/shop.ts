import { TradePrint } from '@trade-print/client';
import { anAddress } from '../../../support/baskets';
import { aPicture } from '../../../support/pictures';
import type { TestService } from '../../../support/service';

/** Quantity of a print, with width and height in mm. */
type PrintSize = readonly [quantity: number, widthMm: string, heightMm: string];

/** A client's own program. It uses the client package and its key, nothing else. */
export class Shop {
  private readonly client: TradePrint;

  constructor(service: TestService, apiKey: string) {
    this.client = new TradePrint({ apiKey, baseUrl: `http://127.0.0.1:${service.api.tradePort}/v1` });
  }

  /** Draws a picture of this width in pixels, in the ratio three to four, and orders these prints of it. */
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
    const { quoteId } = await this.client.quotes.create({ items, shippingAddress: anAddress(), shippingMethodId: 'standard-parcel' });
    await this.client.orders.create({ quoteId });
  }
}
