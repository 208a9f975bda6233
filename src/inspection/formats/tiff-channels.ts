/** Converts the channels of a TIFF to pixels that libvips reads in sRGB: color and alpha, without other channels. */
import type { Channels } from './render';
import { PHOTOMETRIC, type SampleType, type TiffPicture } from './tiff';
import type { Pixels } from './tiff-writer';

/** The part of floating-point samples above 1 from which the picture is not a display picture. */
const MAX_PART_ABOVE_1 = 0.25;

/** The color space of the first channels, and the place of an alpha channel. */
type ChannelMeaning = Pick<TiffPicture, 'photometric' | 'colorChannels' | 'alpha'>;

/** Floating-point samples count as 0 to 1, and integers as parts of their range. */
export function toPixels(picture: ChannelMeaning, type: SampleType, channels: Channels, profile: Buffer | null): Pixels {
  const isGray = picture.colorChannels === 1;
  const bits = isGray || picture.photometric === PHOTOMETRIC.cmyk ? 8 : 16;
  const toBits = bits === 8 ? (value: number) => Math.round(value * 255) : (value: number) => Math.round(value * 65_535);
  const range = RANGES[type];
  const isInverted = picture.photometric === PHOTOMETRIC.whiteIsZero;
  const convert = (value: number, isColor: boolean): number => {
    // NaN is 0.
    const part = Math.min(Math.max(value / range || 0, 0), 1);
    return toBits(isColor && isInverted ? 1 - part : part);
  };
  const wanted = [...Array(picture.colorChannels).keys(), ...(picture.alpha === null ? [] : [picture.alpha.channel])];
  return pack(picture, channels, bits, profile, wanted, (value, place) => convert(value, place < picture.colorChannels));
}

/** The value of full intensity. */
const RANGES: Record<SampleType, number> = { uint8: 255, uint16: 65_535, uint32: 4_294_967_295, float32: 1 };

/** Whether many samples are above 1, as in scientific and HDR data. */
export function exceedsUnitRange({ colorChannels }: ChannelMeaning, type: SampleType, { samples, count }: Channels): boolean {
  if (type !== 'float32') return false;
  let above = 0;
  for (let at = 0; at < samples.length; at += 1) if (at % count < colorChannels && (samples[at] ?? 0) > 1.001) above += 1;
  return above > (MAX_PART_ABOVE_1 * samples.length * colorChannels) / count;
}

/**
 * Converts CIE L*a*b* to sRGB. Its white is D50, which libvips takes for D65. The tags of CIELab have signed a* and b*, those of ICCLab an
 * offset.
 * @param signed the channels read as signed numbers, of which a* and b* are used
 */
export function labToPixels(
  photometric: number,
  type: 'uint8' | 'uint16',
  { width, height, count, samples }: Channels,
  signed: Channels,
): Pixels {
  const [offset, lightnessRange, colorScale] = type === 'uint16' ? [32_768, 65_535, 256] : [128, 255, 1];
  const color = (at: number): number =>
    (photometric === PHOTOMETRIC.cieLab ? (signed.samples[at] ?? 0) : (samples[at] ?? 0) - offset) / colorScale;
  const data = new Uint8Array(width * height * 3);
  for (let to = 0, from = 0; to < data.length; to += 3, from += count)
    data.set(labToSrgb((100 * (samples[from] ?? 0)) / lightnessRange, color(from + 1), color(from + 2)), to);
  return { width, height, bits: 8, photometric: PHOTOMETRIC.rgb, channels: 3, alpha: null, profile: null, data };
}

/** X, Y and Z of the white D50. */
const WHITE = [0.9642, 1, 0.8249] as const;
/** From XYZ under D50 to linear sRGB, with Bradford's adaptation to D65. */
const XYZ_TO_RGB = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const;

function labToSrgb(lightness: number, a: number, b: number): number[] {
  const fy = (lightness + 16) / 116;
  const toLinear = (f: number): number => (f > 6 / 29 ? f ** 3 : (108 / 841) * (f - 4 / 29));
  const xyz = [fy + a / 500, fy, fy - b / 200].map((f, axis) => toLinear(f) * (WHITE[axis] ?? 1));
  return XYZ_TO_RGB.map((row) => {
    const linear = row.reduce((sum, factor, axis) => sum + factor * (xyz[axis] ?? 0), 0);
    const encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(Math.max(encoded, 0), 1));
  });
}

function pack(
  { photometric, colorChannels, alpha }: ChannelMeaning,
  { width, height, count, samples }: Channels,
  bits: 8 | 16,
  profile: Buffer | null,
  wanted: readonly number[],
  convert: (value: number, place: number) => number,
): Pixels {
  const data = new (bits === 8 ? Uint8Array : Uint16Array)(width * height * wanted.length);
  let to = 0;
  for (let from = 0; from < samples.length; from += count)
    for (const [place, channel] of wanted.entries()) {
      data[to] = convert(samples[from + channel] ?? 0, place);
      to += 1;
    }
  return {
    width,
    height,
    bits,
    photometric: photometric === PHOTOMETRIC.whiteIsZero ? PHOTOMETRIC.blackIsZero : photometric,
    channels: wanted.length,
    alpha: wanted.length > colorChannels ? (alpha?.kind ?? null) : null,
    profile,
    data: new Uint8Array(data.buffer),
  };
}
