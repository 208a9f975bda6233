/** Invisible characters that move or hide text: direction marks, overrides and isolates, tags, word joiners. Letter joiners stay. */
export const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
