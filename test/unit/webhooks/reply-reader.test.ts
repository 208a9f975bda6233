import fc from 'fast-check';
import { AttemptFailure } from '../../../src/webhooks/outcome';
import { ReplyReader } from '../../../src/webhooks/reply-reader';
import { propertyRuns } from '../../support/property-runs';

/** The observable result of a reply that arrives in these pieces. Like a connection, it stops at the first failure or end. */
function readPieces(pieces: readonly Buffer[]) {
  const reader = new ReplyReader();
  let failed = false;
  try {
    for (const piece of pieces) if (!reader.isFinished) reader.read(piece);
  } catch (error) {
    if (!(error instanceof AttemptFailure)) throw error;
    failed = true;
  }
  const { status, isFinished } = reader;
  return { status, finished: isFinished, failed, body: Buffer.concat(reader.body).toString('latin1').slice(0, 8192) };
}

function cutIntoPieces(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}

const chunked = fc
  .array(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' }), { maxLength: 5 })
  .map((chunks) => `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`);
const counted = fc.string({ maxLength: 60, unit: 'grapheme-ascii' });
const interim = fc.integer({ min: 0, max: 12 }).map((count) => 'HTTP/1.1 103 Early\r\nLink: </x>\r\n\r\n'.repeat(count));
const wellFormed = fc
  .tuple(
    interim,
    fc.oneof(
      chunked.map((body) => `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`),
      counted.map((body) => `HTTP/1.1 500 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    ),
  )
  .map((parts) => parts.join(''));
const piece = fc.oneof(
  fc.constantFrom(
    'HTTP/1.1 200 OK\r\n',
    'HTTP/1.1 100 C\r\n\r\n',
    'Content-Length: 3\r\n',
    'Transfer-Encoding: chunked\r\n',
    '\r\n',
    '\r',
    '\n',
    '3\r\nabc\r\n',
    '0\r\n\r\n',
    ':',
    'HTTP/1.',
  ),
  fc.string({ maxLength: 8 }),
);
const anything = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('a reply', () => {
  it('is the same for any split into chunks', () => {
    fc.assert(
      fc.property(wellFormed, fc.array(fc.nat(), { maxLength: 30 }), (text, places) => {
        const bytes = Buffer.from(text, 'latin1');
        expect(readPieces(cutIntoPieces(bytes, places))).toEqual(readPieces([bytes]));
      }),
      propertyRuns(500),
    );
  });

  it('is the same byte by byte for any content', () => {
    fc.assert(
      fc.property(fc.oneof(wellFormed, anything), (text) => {
        const bytes = Buffer.from(text, 'latin1');
        expect(readPieces(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(readPieces([bytes]));
      }),
      propertyRuns(500),
    );
  });

  it.each(['', 'x', '\r\n', 'HTTP/1.1 200 OK\r\n\r\n'])('with trailing bytes is complete, but its connection is not reused: %j', (rest) => {
    const reader = new ReplyReader();
    reader.read(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok${rest}`));
    expect(reader).toMatchObject({ status: 200, isFinished: true, isConnectionReusable: rest === '' });
  });

  it('may have up to 16 KiB of headers', () => {
    const withHead = (size: number) => {
      const start = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: ';
      return readPieces([Buffer.from(`${start}${'y'.repeat(size - start.length - 4)}\r\n\r\n`)]);
    };
    expect(withHead(16 * 1024)).toMatchObject({ status: 200, failed: false });
    expect(withHead(16 * 1024 + 2)).toMatchObject({ status: null, failed: true });
  });
});
