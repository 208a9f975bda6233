import type { Line } from '../../basket/line';
import type { ArtworkSize, Selections } from '../../basket/selections';
import { calculateComponent, jsonPointer, type PriceComponent } from '../../price-component';

export const RAISED_FLOAT_KEYS = ['raisedFloat', 'raisedFloatDepthMm', 'raisedFloatRiserColour'] as const;
type RiserDepth = '6' | '10';
/** `colour` is undefined if the depth has only one. */
export interface Riser {
  depth: RiserDepth;
  colour: string | undefined;
}
const DEPTHS: readonly RiserDepth[] = ['6', '10'];
const COLOURS = ['black', 'white'];

/**
 * Reads the riser if `raisedFloat` is `true`. Otherwise returns undefined and ignores the other RAISED_FLOAT_KEYS. A depth of 6 mm,
 * the default, requires a color. A depth of 10 mm has one color, so `raisedFloatRiserColour` is refused.
 */
export function readRaisedFloat(selections: Selections): Riser | undefined {
  if (!selections.isTrue('raisedFloat')) return undefined;
  const sentDepth = selections.oneOf('raisedFloatDepthMm', DEPTHS);
  const depth: RiserDepth = sentDepth === '10' ? '10' : '6';
  const isDepthValid = sentDepth !== undefined || !selections.has('raisedFloatDepthMm');
  return { depth, colour: isDepthValid ? readColour(selections, depth) : undefined };
}

function readColour(selections: Selections, depth: RiserDepth): string | undefined {
  const key = 'raisedFloatRiserColour';
  if (depth === '10') {
    if (selections.has(key)) selections.issue(key, 'cannot be used with a 10 mm riser; leave it out, or use raisedFloatDepthMm "6"');
    return undefined;
  }
  if (!selections.has(key)) selections.issue(key, 'is required with a 6 mm riser; send "black" or "white"');
  return selections.oneOf(key, COLOURS);
}

/** Calculates the riser's price from its rate per meter and the perimeter of the print. */
export function calculateRiserPrice(line: Line, size: ArtworkSize, { depth }: Riser): PriceComponent {
  const perimeterMm = 2 * (size.widthMm + size.heightMm);
  const value = line.book.raisedFloat.riserCentsPerMetre[depth];
  const rate = { value, at: jsonPointer('raisedFloat', 'riserCentsPerMetre', depth) };
  return calculateComponent('length', perimeterMm, rate, {
    code: 'raised-float',
    note: `${depth} mm riser, ${perimeterMm} mm at ${value} per m`,
  });
}
