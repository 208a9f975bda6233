import { aLine, anAddress } from '../../test/support/baskets';
import type { Figure } from '../figure';
import { createKeysOfOneAccount, uploadArtworkOf, type Buyer } from '../fixtures';
import { call } from '../http';
import { closedLoop } from '../load';

const LINES = 200;

export const quote: Figure = {
  title: `POST /quotes with ${LINES} lines, 1 client`,
  unit: 'ms',
  goal: 1.4,
  async prepare(stage, isSmoke) {
    const [buyer] = (await createKeysOfOneAccount(stage, 1)) as [Buyer];
    const body = JSON.stringify(createRequest(await uploadArtworkOf(stage, buyer)));
    const perBurst = isSmoke ? 2 : 30;
    const ours = { method: 'POST', url: stage.tradeUrl, path: '/v1/quotes', credential: buyer.key, body } as const;
    const floor = { method: 'POST', url: stage.floorUrl, path: '/quotes', body } as const;
    return {
      ours: () => closedLoop(perBurst, 1, () => call(stage, ours)),
      floor: () => closedLoop(perBurst, 1, () => call(stage, floor)),
    };
  },
};

const FRAME = {
  mouldingId: 'moulding-oak-natural-20',
  glazingId: 'glazing-uv-acrylic-3',
  backingId: 'backing-foam-5',
  matColorId: 'mat-white',
  matSizeMm: '60',
};

/** Alternates prints and framed prints in different sizes. */
function createRequest(imageUrl: string): object {
  const items = Array.from({ length: LINES }, (_, index) => {
    const print = aLine(imageUrl);
    const size = { artworkWidthMm: String(300 + (index % 20) * 10), artworkHeightMm: String(400 + (index % 7) * 10) };
    const selections = { ...print.variantSelections, ...size };
    if (index % 2 === 0) return { ...print, variantSelections: selections };
    return { ...print, productSlug: 'custom-framing', variantSelections: { ...selections, ...FRAME } };
  });
  return { items, shippingMethodId: 'studio-collection', shippingAddress: anAddress() };
}
