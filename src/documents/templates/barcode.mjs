import bwip from 'bwip-js/node';

/** Code 128 as an SVG: what every scanner of a workshop reads, from paper and through a plastic sleeve. */
export const barcode = (text) => bwip.toSVG({ bcid: 'code128', text, height: 10, includetext: false, paddingwidth: 0 });
