/** All variant keys of orderable products, as the contract describes them (specification "Variant selections"). All values are strings. */
export const VARIANT_KEYS = {
  artworkWidthMm: 'printed width, whole mm',
  artworkHeightMm: 'printed height, whole mm',
  mediaId: 'the printed medium: an id from `media`, `canvasMedia` or `everydayArtMedia`, by product',
  borderMm: 'white border around the image',
  borderMode: "`inside` takes the border out of the artwork's size; anything else adds paper around it",
  tornEdge: '`true` adds the deckled edge, on stocks with `supportsTornEdge`',
  sleeve: 'a `sizeCode` from `sleeves`: a clear sleeve and a backing board',
  matColorId: 'an id from `matboards`; on custom-framing it adds a window mount',
  mouldingId: 'an id from `mouldings`; on a canvas a float frame, from `canvasMouldings`',
  glazingId: 'an id from `glazing`',
  backingId: 'an id from `backing`',
  qualityTierId: 'an id from `qualityTiers`: every restricted material of the line must belong to it',
  matSizeMm: 'one mat border for all four sides; this or the four sides, not both',
  matTopMm: 'one border; send all four sides',
  matRightMm: 'one border; send all four sides',
  matBottomMm: 'one border; send all four sides',
  matLeftMm: 'one border; send all four sides',
  textWindowWidthMm: 'a second window below the artwork, for a caption; needs `textWindowHeightMm` and a mat',
  textWindowHeightMm: 'its height, no more than the bottom border',
  raisedFloat: '`true` mounts the print on a hidden riser',
  raisedFloatDepthMm: '`6` or `10`; without it 6',
  raisedFloatRiserColour: '`black` or `white`; required with a 6 mm riser, refused with a 10 mm one',
  format: '`print-only` sends a rolled canvas; anything else is stretched over a frame',
  depth: 'of the stretcher bar, such as `30mm`; required unless `print-only`',
  finish: 'surface finish after printing',
  artworkFit:
    'for a picture of another shape: `fill` crops it to the size, centered; `fit` prints all of it with white margins; other values are ignored. Not priced',
} as const;
export type VariantKey = keyof typeof VARIANT_KEYS;
/** Keys whose values are ids of the catalogue. */
export type IdKey = Extract<VariantKey, `${string}Id` | 'sleeve'>;
