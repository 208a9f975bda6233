import { crc32, deflateSync } from 'node:zlib';

/** A small but real PNG: dusk over dunes, `width` × `height` pixels, 8-bit RGB. */
export function paintDunes(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    const start = y * (1 + width * 3) + 1;
    for (let x = 0; x < width; x += 1) rows.set(colourAt(x / width, y / height), start + x * 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function colourAt(x: number, y: number): [number, number, number] {
  const ridge = 0.62 + 0.08 * Math.sin(x * 7) + 0.04 * Math.sin(x * 17 + 1);
  if (y < ridge) return [60 + 180 * y, 70 + 90 * y, 120 - 40 * y];
  const shade = 1 - 0.6 * (y - ridge);
  return [196 * shade, 128 * shade, 72 * shade];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
