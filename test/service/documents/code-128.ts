/** Widths of bar, gap, bar, gap, bar, gap for each value (ISO/IEC 15417, table 1). */
const PATTERNS =
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 211232'.split(
    ' ',
  );
const [TO_C, TO_B, START_C] = [99, 100, 105];

/** Bars of an SVG, each drawn as a vertical line, with start and end. */
function barsOf(svg: string): [number, number][] {
  const bars = [...svg.matchAll(/stroke-width="(\d+)" d="([^"]+)"/g)].flatMap(([, width, path = '']) =>
    [...path.matchAll(/M([\d.]+) /g)].map(([, at]): [number, number] => [Number(at) - Number(width) / 2, Number(at) + Number(width) / 2]),
  );
  return bars.toSorted(([a], [b]) => a - b);
}

/** Reads Code 128 (sets B and C) like a scanner. @throws Error for a wrong check digit or pattern */
export function scanBarcode(svg: string): string {
  const edges = barsOf(svg).flat();
  const module = Math.min(...edges.slice(1).map((edge, at) => edge - (edges[at] ?? 0)));
  const widths = edges.slice(1).map((edge, at) => Math.round((edge - (edges[at] ?? 0)) / module));
  const stop = widths.splice(-7).join('');
  if (stop !== '2331112') throw new Error(`no stop: ${stop}`);
  const values =
    widths
      .join('')
      .match(/.{6}/g)
      ?.map((pattern) => PATTERNS.indexOf(pattern)) ?? [];
  const [start = -1, ...rest] = values;
  const check = rest.pop();
  if (rest.reduce((sum, value, at) => sum + value * (at + 1), start) % 103 !== check) throw new Error('the check is wrong');
  return textOf(rest, start === START_C);
}

function textOf(values: number[], isC: boolean): string {
  let text = '';
  for (const value of values) {
    if (value === TO_C && !isC) isC = true;
    else if (value === TO_B && isC) isC = false;
    else text += isC ? String(value).padStart(2, '0') : String.fromCharCode(value + 32);
  }
  return text;
}
