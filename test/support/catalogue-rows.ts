/** New rows of the catalogue, as the studio sends them. */
export const MEDIA = {
  id: 'media-new',
  name: 'New rag',
  clientTitle: null,
  description: null,
  imageUrl: null,
  storefrontTier: 'advanced',
  surfaceType: 'matte',
  gramsPerSqm: 300,
  maxPrintWidthMm: null,
  supportsTornEdge: false,
};

export const GLAZING = {
  id: 'glazing-new',
  name: 'New glass',
  clientTitle: null,
  description: null,
  imageUrl: null,
  isUvProtective: true,
  isAntiReflective: false,
  isAcrylic: false,
  qualityTierIds: null,
};
