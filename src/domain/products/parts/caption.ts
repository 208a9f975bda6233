import type { Line } from '../../basket/line';
import type { ArtworkSize, Selections } from '../../basket/selections';
import { charge, type Component } from '../../working';
import type { Sides } from './borders';

export const CAPTION_KEYS = ['textWindowWidthMm', 'textWindowHeightMm'] as const;

/** The caption window below the artwork: both keys or neither. */
export function readCaption(selections: Selections): ArtworkSize | undefined {
  const [widthMm, heightMm] = CAPTION_KEYS.map((key) => selections.mm(key));
  const sent = CAPTION_KEYS.filter((key) => selections.has(key));
  if (sent.length === 0) return undefined;
  for (const key of CAPTION_KEYS) {
    if (!selections.has(key)) selections.issue(key, `is required together with ${sent[0]}; send both or neither`);
  }
  return { widthMm: widthMm ?? 0, heightMm: heightMm ?? 0 };
}

/** A caption lies in the bottom border: it must not be higher than that border, nor wider than the whole mat. */
export function checkCaptionFits(selections: Selections, caption: ArtworkSize, size: ArtworkSize, sides: Sides): void {
  const widest = size.widthMm + sides.left + sides.right;
  if (caption.heightMm > sides.bottom) {
    selections.issue(
      'textWindowHeightMm',
      `does not fit a bottom mat border of ${sides.bottom} mm; use a lower window or a larger matBottomMm`,
    );
  }
  if (caption.widthMm > widest) selections.issue('textWindowWidthMm', `does not fit a mat ${widest} mm wide; use a narrower window`);
}

export function priceOfCaption(line: Line, caption: ArtworkSize): Component {
  const rate = { value: line.book.mats.captionCents, at: '/mats/captionCents' };
  return charge('each', 1, rate, { code: 'caption', note: `window ${caption.widthMm} × ${caption.heightMm} mm` });
}
