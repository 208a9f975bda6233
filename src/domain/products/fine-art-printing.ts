import type { MediaRow, SleeveRow } from '../catalogue';
import { checkAll } from '../basket/basket-refusal';
import { quoted, type Line } from '../basket/line';
import { findMedia, unavailableError } from '../basket/materials';
import { Selections, readArtworkSize, type ArtworkSize } from '../basket/selections';
import { checkWidth, priceOfPrint, type Sheet } from './parts/print';
import { findSleeve, pieceOfPrint, priceOfSleeve } from './parts/sleeve';
import { calculateComponent, type PriceComponent } from '../price-component';
import { sheetCut } from './cuts';
import type { Product, UnitPlan } from './product';

const TORN_EDGE_MM_PER_SIDE = 15;

interface FineArtPrint {
  size: ArtworkSize;
  mediaId: string;
  borderMm: number;
  borderMode: 'inside' | 'outside';
  tornEdge: boolean;
  sleeve: string | undefined;
}

/** Prints on fine-art and photographic papers (specification "Variant selections", fine-art-printing). */
export const fineArtPrinting: Product = {
  slug: 'fine-art-printing',
  keys: ['artworkWidthMm', 'artworkHeightMm', 'artworkFit', 'mediaId', 'borderMm', 'borderMode', 'tornEdge', 'sleeve'],
  plan(line: Line): UnitPlan {
    const print = readSelections(line);
    const sheet = sheetOf(print);
    const [stock, sleeve] = checkAll(
      () => findStock(line, print, sheet),
      () => (print.sleeve === undefined ? undefined : findSleeve(line, print.sleeve, sheet, null)),
    );
    const components = price(line, print, stock, sheet, sleeve);
    return { components, piece: pieceOfPrint(line, stock, sheet, sleeve), cuts: [sheetCut('print', stock.id, sheet)] };
  },
};

function readSelections(line: Line): FineArtPrint {
  const selections = new Selections(line);
  const print: FineArtPrint = {
    size: readArtworkSize(selections),
    mediaId: selections.requiredId('mediaId', "an id from the catalogue's media"),
    borderMm: selections.sideMm('borderMm') ?? 0,
    borderMode: selections.raw('borderMode') === 'inside' ? 'inside' : 'outside',
    tornEdge: selections.isTrue('tornEdge'),
    sleeve: selections.id('sleeve'),
  };
  checkInsideBorder(selections, print);
  selections.assertValid();
  return print;
}

function checkInsideBorder(selections: Selections, { size, borderMm, borderMode }: FineArtPrint): void {
  const shortEdge = Math.min(size.widthMm, size.heightMm);
  if (borderMode !== 'inside' || shortEdge === 0 || 2 * borderMm < shortEdge) return;
  selections.issue('borderMm', `leaves no image: an inside border must be less than half of the short edge of ${shortEdge} mm`);
}

/** The artwork, an outside border and the paper of a torn edge (specification "Variant selections"). */
function sheetOf({ size, borderMm, borderMode, tornEdge }: FineArtPrint): Sheet {
  const extra = 2 * ((borderMode === 'inside' ? 0 : borderMm) + (tornEdge ? TORN_EDGE_MM_PER_SIDE : 0));
  return { widthMm: size.widthMm + extra, heightMm: size.heightMm + extra };
}

function findStock(line: Line, print: FineArtPrint, sheet: Sheet): MediaRow {
  const stock = findMedia(line, print.mediaId);
  if (print.tornEdge && !stock.supportsTornEdge) {
    const text = `mediaId ${quoted(stock.id)} does not take a torn edge; leave tornEdge out or choose a stock that does`;
    throw unavailableError(line, text, 'mediaId');
  }
  checkWidth(line, stock, sheet);
  return stock;
}

function price(line: Line, print: FineArtPrint, stock: MediaRow, sheet: Sheet, sleeve: SleeveRow | undefined): PriceComponent[] {
  const printed = priceOfPrint(line, stock, sheet);
  return [printed, ...(print.tornEdge ? [priceOfTornEdge(line, printed.cents)] : []), ...(sleeve ? [priceOfSleeve(line, sleeve)] : [])];
}

/** The minimum fee or a percentage of the print's price, whichever is greater, in cents. */
function priceOfTornEdge(line: Line, printCents: number): PriceComponent {
  const { feeMinimumCents, feeBps } = line.book.tornEdge;
  const minimum = { cents: feeMinimumCents, at: '/tornEdge/feeMinimumCents' };
  return calculateComponent(
    'share',
    printCents,
    { value: feeBps, at: '/tornEdge/feeBps' },
    { code: 'torn-edge', note: 'deckled on four sides', minimum },
  );
}
