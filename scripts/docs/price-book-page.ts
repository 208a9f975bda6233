import { SEED_CATALOGUE } from '../../src/db/seed/catalogue';
import { FIRST_PRICE_BOOK } from '../../src/db/seed/price-book';
import type { MediaRow, MediaSection } from '../../src/domain/catalogue';
import { PARCEL_KINDS, type PostcodeRange } from '../../src/domain/price-book/price-book';
import { findPrintRate } from '../../src/domain/price-book/rates';
import { RULES } from '../../src/domain/pricing/rules';
import { inlineCode, renderTable } from './markdown';

const { products, tornEdge, sleeves, mouldings, mats, raisedFloat, glazing, backing, canvas, rush, shipping, ...book } = FIRST_PRICE_BOOK;
const { weights, packing } = shipping;

type Cell = string | number | null | undefined;
const renderCells = (head: string[], rows: Cell[][]): string =>
  `${renderTable(
    head,
    rows.map((row) => row.map((cell) => String(cell ?? ''))),
  )}\n`;
const formatPercent = (bps: number): string => `${bps / 100} %`;
const formatFlag = (isTrue: boolean): string => (isTrue ? 'yes' : '');

/** Renders docs/first-price-book.md, with all prices of a new studio. */
export function renderPriceBookPage(): string {
  return `# The first price book

\`npm run docs\` writes this page from \`src/db/seed/\`. A new studio opens with this price book and catalogue. [How a quote is priced](pricing.md) explains how the figures are used.

Amounts are in cents (${book.currency}), lengths in mm, weights in g.

## Components

The rule of each amount in a [breakdown](pricing.md#breakdown-of-a-quote).

${renderCells(
  ['component', 'rule'],
  Object.entries(RULES).map(([component, rule]) => [inlineCode(component), rule]),
)}
## Stocks

An empty width means any width.

${renderStocks()}
## Products

${renderCells(
  ['product', 'quantity', 'ladder'],
  Object.entries(products).map(([slug, { minQuantity, maxQuantity, ladder }]) => [
    inlineCode(slug),
    `${minQuantity} to ${maxQuantity}`,
    ladder.map(({ fromQuantity, reductionBps }) => `from ${fromQuantity}: ${formatPercent(reductionBps)}`).join(', '),
  ]),
)}
## Mouldings

${renderCells(
  ['moulding', 'width', 'depth', 'maxLengthMm', 'per meter', 'holds a float'],
  SEED_CATALOGUE.mouldings.map((row) => [
    inlineCode(row.id),
    row.widthMm,
    row.depthMm ?? weights.defaultMouldingDepthMm,
    row.maxLengthMm,
    mouldings.centsPerMetreById[row.id] ?? mouldings.defaultCentsPerMetre,
    formatFlag(row.canvasFloatSuitable),
  ]),
)}
## Glazing

${renderCells(
  ['glazing', 'per m²', 'g per m²'],
  SEED_CATALOGUE.glazing.map(({ id, isAcrylic }) => [
    inlineCode(id),
    glazing.centsPerSqmById[id] ?? glazing.defaultCentsPerSqm,
    isAcrylic ? weights.acrylicGsm : weights.glassGsm,
  ]),
)}
## Sleeves

${renderCells(
  ['sleeve', 'width', 'height', 'each', 'for everyday prints'],
  SEED_CATALOGUE.sleeves.map(({ sizeCode, widthMm, heightMm }) => [
    inlineCode(sizeCode),
    widthMm,
    heightMm,
    sleeves.centsByCode[sizeCode],
    formatFlag(sleeves.everydayArtCodes.includes(sizeCode)),
  ]),
)}
## Rates

${renderCells(['rate', 'value'], rateRows())}
## Rush

${renderCells(
  ['tier', 'share', 'at least', 'business days'],
  Object.entries(rush).map(([tier, { surchargeBps, minimumCents, businessDays }]) => [
    inlineCode(tier),
    formatPercent(surchargeBps),
    minimumCents,
    businessDays,
  ]),
)}
## Weights and thicknesses

${renderCells(['part', 'value'], weightRows())}
## Parcels

${renderCells(
  ['kind', 'padding', 'packaging in g', 'contents up to g', 'stack up to mm', 'thickness at least'],
  PARCEL_KINDS.map((kind) => {
    const { paddingMm, packagingGrams, maxContentGrams, maxStackMm, minThicknessMm } = packing[kind];
    return [kind, paddingMm, packagingGrams, maxContentGrams, maxStackMm, minThicknessMm];
  }),
)}
## Zones

${renderCells(
  ['zone', 'name', 'countries', 'postcodes'],
  shipping.zones.map(({ id, name, countries, postcodes }) => [
    inlineCode(id),
    name,
    inlineCode(countries.join(' ')),
    postcodes === null ? 'all' : formatRanges(postcodes),
  ]),
)}
## Untaxed zones

Goods sent to these places of ${book.tax.country} are exports, without GST. Work collected at the studio always contains GST.

${renderCells(
  ['zone', 'postcodes'],
  book.tax.untaxedZones.map(({ name, postcodes }) => [name, formatRanges(postcodes)]),
)}
## Delivery methods

A parcel that is longer or heavier is not carried.

${renderCells(
  ['method', 'longest side up to', 'parcel up to g', 'oversize'],
  shipping.methods
    .filter(({ isCollection }) => !isCollection)
    .map(({ id, carries, oversize }) => [
      inlineCode(id),
      carries.maxLongestMm,
      carries.maxGrams,
      oversize.map(({ overMm, cents }) => `over ${overMm}: ${cents}`).join(', '),
    ]),
)}
## Delivery prices

${shipping.methods
  .filter(({ isCollection }) => isCollection)
  .map(({ id, zones }) => `${inlineCode(id)} is free in the zones ${zones.map(({ zoneId }) => inlineCode(zoneId)).join(', ')}.`)
  .join('\n')}

${renderCells(
  ['method', 'zone', ...PARCEL_KINDS, 'per kg', 'estimated'],
  shipping.methods
    .filter(({ isCollection }) => !isCollection)
    .flatMap(({ id, zones }) =>
      zones.map(({ zoneId, baseCents, perKgCents, estimatedDelivery }) => [
        inlineCode(id),
        inlineCode(zoneId),
        ...PARCEL_KINDS.map((kind) => baseCents[kind]),
        perKgCents,
        estimatedDelivery,
      ]),
    ),
)}
## Calendar

${renderCells(
  ['part', 'value'],
  [
    ['time zone', book.timeZone],
    ['cut-off', book.cutoffTime],
    ['standard turnaround', `${book.standardBusinessDays} business days`],
    ['holidays of a studio that opens in 2026', book.holidays.join(' ')],
  ],
)}`;
}

const formatRanges = (ranges: readonly PostcodeRange[]): string => ranges.map(({ from, to }) => `${from}-${to}`).join(' ');

function renderStocks(): string {
  const sections: [MediaSection, readonly MediaRow[], string][] = [
    ['media', SEED_CATALOGUE.media, 'papers'],
    ['everydayArtMedia', SEED_CATALOGUE.everydayArtMedia, 'everyday'],
    ['canvasMedia', SEED_CATALOGUE.canvasMedia, 'canvas'],
  ];
  const rows = sections.flatMap(([section, media, pool]) =>
    media.map((row) => {
      const rate = findPrintRate(FIRST_PRICE_BOOK, section, row);
      const gsm = row.gramsPerSqm ?? weights.defaultPaperGsm;
      return [inlineCode(row.id), pool, rate?.centsPerSqm, rate?.minimumCents, gsm, row.maxPrintWidthMm, formatFlag(row.supportsTornEdge)];
    }),
  );
  return renderCells(['stock', 'for', 'per m²', 'print at least', 'g per m²', 'short edge up to', 'torn edge'], rows);
}

function rateRows(): Cell[][] {
  return [
    ['torn edge, share of the print', formatPercent(tornEdge.feeBps)],
    ['torn edge, at least', tornEdge.feeMinimumCents],
    ['moulding waste', formatPercent(mouldings.wasteBps)],
    ['moulding length is rounded up to', mouldings.roundUpToMm],
    ['join, each frame', mouldings.joinCents],
    ['assembly, each frame', book.assemblyCents],
    ['mat, per m²', mats.defaultCentsPerSqm],
    ['mat cut, each', mats.cutCents],
    ['caption window, each', mats.captionCents],
    ['mat border, at least', mats.minimumMm],
    ['mat border, where none is sent', mats.defaultMm],
    ['backing board of a print and mat, per m²', mats.backingBoardCentsPerSqm],
    ['backing of a frame, per m²', backing.defaultCentsPerSqm],
    ...Object.entries(raisedFloat.riserCentsPerMetre).map(([depth, cents]) => [`riser of ${depth} mm, per meter`, cents]),
    ['reveal of a raised float, at least', raisedFloat.revealMinimumMm],
    ['reveal of a raised float, where none is sent', raisedFloat.revealDefaultMm],
    ...Object.entries(canvas.barCentsPerMetre).map(([depth, cents]) => [`bars of ${depth}, per meter`, cents]),
    ...Object.entries(canvas.finishCentsPerSqm).map(([finish, cents]) => [`finish ${finish}, per m²`, cents]),
    ['smallest order', book.minimumOrderCents],
    ['largest line', book.lineCeilingCents],
    [`GST divisor, in ${book.tax.country}`, book.tax.divisor],
  ];
}

function weightRows(): Cell[][] {
  return [
    ['thickness of a sheet or a rolled canvas', weights.sheetThicknessMm],
    ['thickness of a sleeved print', weights.sleevedThicknessMm],
    ['thickness of a print and mat', weights.mattedThicknessMm],
    ['sleeve with its board, g per m²', weights.sleeveGsm],
    ['mat board, g per m²', weights.matGsm],
    ['backing, g per m²', weights.backingGsm],
    ['moulding, kg per m³', weights.mouldingKgPerCubicMetre],
    ['stretcher bars, g per meter', weights.barGramsPerMetre],
    ['flat mailer, long edge up to', shipping.flatLimitMm.longMm],
    ['flat mailer, short edge up to', shipping.flatLimitMm.shortMm],
    ['cubic weight, kg per m³', shipping.cubicKgPerCubicMetre],
  ];
}
