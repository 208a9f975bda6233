import type { MouldingRow } from '../../domain/catalogue';

export const ESSENTIAL = 'tier-essential';
export const CONSERVATION = 'tier-conservation';
export const MUSEUM = 'tier-museum';

type MouldingOptions = Partial<Pick<MouldingRow, 'clientTitle' | 'canvasFloatSuitable' | 'qualityTierIds'>>;

function moulding(
  id: string,
  name: string,
  widthMm: number,
  depthMm: number | null,
  maxLengthMm: number | null,
  colour: string,
  colourHex: string | null,
  options: MouldingOptions = {},
): MouldingRow {
  return {
    id: `moulding-${id}`,
    name,
    clientTitle: null,
    widthMm,
    depthMm,
    maxLengthMm,
    cuttingAllowanceMm: null,
    colour,
    colourHex,
    imageUrl: null,
    canvasFloatSuitable: false,
    qualityTierIds: null,
    ...options,
  };
}

const FLOAT_SUITABLE: MouldingOptions = { canvasFloatSuitable: true };

/** Frame profiles, in mm. The maximum length is that of the longest piece that can be cut from a stick. */
export const MOULDINGS: MouldingRow[] = [
  moulding('pine-raw-15', 'Pine, raw', 15, 25, 2400, 'natural', '#E3C9A0', { qualityTierIds: [ESSENTIAL] }),
  moulding('pine-white-15', 'Pine, white', 15, 25, 2400, 'white', '#F7F7F4', { qualityTierIds: [ESSENTIAL] }),
  moulding('pine-black-15', 'Pine, black', 15, 25, 2400, 'black', '#1B1B1B', { qualityTierIds: [ESSENTIAL] }),
  moulding('ayous-white-20', 'Ayous, white', 20, 33, 2700, 'white', '#F5F4EF'),
  moulding('ayous-black-20', 'Ayous, black', 20, 33, 2700, 'black', '#191919'),
  moulding('oak-natural-20', 'Oak, natural', 20, 30, 2700, 'natural', '#C9A26B'),
  moulding('oak-smoked-20', 'Oak, smoked', 20, 30, 2700, 'brown', '#6B4E33'),
  moulding('oak-white-20', 'Oak, limed', 20, 30, 2700, 'white', '#EAE3D6'),
  moulding('ash-natural-30', 'Ash, natural', 30, 35, 2700, 'natural', '#DCC6A0', { qualityTierIds: [CONSERVATION, MUSEUM] }),
  moulding('ash-black-30', 'Ash, black', 30, 35, 2700, 'black', '#202020', { qualityTierIds: [CONSERVATION, MUSEUM] }),
  moulding('walnut-20', 'Walnut, slim', 20, 32, 2400, 'walnut', '#5A3D28', { qualityTierIds: [CONSERVATION, MUSEUM] }),
  moulding('walnut-30', 'Walnut, wide', 30, 38, 2400, 'walnut', '#5A3D28', { qualityTierIds: [CONSERVATION, MUSEUM] }),
  moulding('gilt-gold-25', 'Gilt, gold', 25, 22, 2700, 'gold', '#C9A84C', { qualityTierIds: [ESSENTIAL, CONSERVATION] }),
  moulding('gilt-silver-25', 'Gilt, silver', 25, 22, 2700, 'silver', '#B8B8B4', { qualityTierIds: [ESSENTIAL, CONSERVATION] }),
  moulding('aluminium-black-10', 'Aluminium, black', 10, null, null, 'black', '#151515', {
    clientTitle: 'Slim metal',
    qualityTierIds: [ESSENTIAL],
  }),
  moulding('float-black-12', 'Float, black', 12, 45, 2700, 'black', '#1A1A1A', FLOAT_SUITABLE),
  moulding('float-white-12', 'Float, white', 12, 45, 2700, 'white', '#F6F5F1', FLOAT_SUITABLE),
  moulding('float-oak-15', 'Float, oak', 15, 48, 2700, 'natural', '#C9A26B', FLOAT_SUITABLE),
  moulding('float-walnut-15', 'Float, walnut', 15, 48, 2400, 'walnut', '#5A3D28', {
    ...FLOAT_SUITABLE,
    qualityTierIds: [CONSERVATION, MUSEUM],
  }),
  moulding('museum-maple-35', 'Maple, museum profile', 35, 50, 3000, 'natural', '#E6D3B3', { ...FLOAT_SUITABLE, qualityTierIds: [MUSEUM] }),
];
