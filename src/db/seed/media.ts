import type { MediaRow } from '../../domain/catalogue';

/** House stock is `basic`, museum and archival stock `advanced`; g/m² and mm. */
function stock(
  id: string,
  name: string,
  surfaceType: string,
  storefrontTier: MediaRow['storefrontTier'],
  gramsPerSqm: number | null,
  maxPrintWidthMm: number | null,
  supportsTornEdge = false,
  description: string | null = null,
): MediaRow {
  return {
    id,
    name,
    clientTitle: null,
    description,
    imageUrl: null,
    storefrontTier,
    surfaceType,
    gramsPerSqm,
    maxPrintWidthMm,
    supportsTornEdge,
  };
}

export const MEDIA: MediaRow[] = [
  stock('media-cotton-rag-310', 'Cotton rag 310', 'matte', 'advanced', 310, 1118, true, 'Smooth, pure cotton'),
  stock('media-cotton-rag-188', 'Cotton rag 188', 'matte', 'advanced', 188, 1118, true, 'Smooth, pure cotton, light'),
  stock('media-cotton-textured-310', 'Textured cotton 310', 'textured', 'advanced', 310, 1118, true, 'Pure cotton with a soft tooth'),
  stock('media-etching-350', 'Etching 350', 'textured', 'advanced', 350, 1118, true, 'Heavy mould-made paper'),
  stock('media-washi-110', 'Mulberry washi 110', 'washi', 'advanced', 110, 914, true, 'Long-fibred and translucent'),
  stock('media-baryta-cotton-315', 'Cotton baryta 315', 'baryta', 'advanced', 315, 1118, false, 'Deep blacks on cotton'),
  stock('media-baryta-gloss-325', 'Gloss baryta 325', 'baryta', 'advanced', 325, 1118, false, 'The look of a darkroom print'),
  stock('media-archival-matte-230', 'Archival matte 230', 'matte', 'basic', 230, 1118),
  stock('media-lustre-260', 'Lustre 260', 'lustre', 'basic', 260, 1524),
  stock('media-gloss-260', 'Gloss 260', 'gloss', 'basic', 260, 1524),
  stock('media-metallic-pearl-285', 'Metallic pearl 285', 'metallic', 'basic', 285, 1118),
  stock('media-studio-satin', 'Studio satin', 'satin', 'basic', null, null, false, 'Our own make, joined to any width'),
];

export const CANVAS_MEDIA: MediaRow[] = [
  stock('canvas-cotton-410', 'Cotton canvas 410', 'canvas', 'advanced', 410, 1118),
  stock('canvas-cotton-satin-400', 'Satin cotton canvas 400', 'canvas', 'advanced', 400, 1118),
  stock('canvas-linen-450', 'Linen canvas 450', 'canvas', 'advanced', 450, 1118),
  stock('canvas-polycotton-380', 'Polycotton canvas 380', 'canvas', 'basic', 380, 1524),
  stock('canvas-polycotton-gloss-380', 'Gloss polycotton canvas 380', 'canvas', 'basic', 380, 1524),
  stock('canvas-recycled-340', 'Recycled canvas 340', 'canvas', 'basic', 340, 1524),
];

export const EVERYDAY_ART_MEDIA: MediaRow[] = [
  stock('everyday-matte-200', 'Everyday matte 200', 'matte', 'basic', 200, 1067),
  stock('everyday-satin-240', 'Everyday satin 240', 'satin', 'basic', 240, 1067),
  stock('everyday-gloss-240', 'Everyday gloss 240', 'gloss', 'basic', 240, 1067),
  stock('everyday-textured-220', 'Everyday textured 220', 'textured', 'basic', 220, 914),
  stock('everyday-recycled-170', 'Everyday recycled 170', 'matte', 'basic', 170, 914),
  stock('everyday-card-300', 'Everyday card 300', 'matte', 'basic', 300, 610),
];
