import { artworkNotes } from '../../../src/domain/artwork-notes';

const plain = { mediaType: 'image/jpeg', pages: 1, extraChannels: 0 };

describe('notes about a file for production', () => {
  it.each([
    ['nothing to say', 'image/jpeg', plain, []],
    ['an unknown file', 'image/jpeg', { mediaType: null, pages: null, extraChannels: null }, []],
    ['another type', 'image/jpeg', { ...plain, mediaType: 'image/tiff' }, ['Sent as image/jpeg, contains image/tiff']],
    ['an animated PNG declared as PNG', 'image/png', { ...plain, mediaType: 'image/apng' }, []],
    ['HEIF declared as HEIC', 'image/heic', { ...plain, mediaType: 'image/heif' }, []],
    ['AVIF declared as HEIC', 'image/heic', { ...plain, mediaType: 'image/avif' }, ['Sent as image/heic, contains image/avif']],
    ['several pages', 'image/jpeg', { ...plain, pages: 3 }, ['3 pages, the largest one is the picture']],
    ['one extra channel', 'image/jpeg', { ...plain, extraChannels: 1 }, ['1 extra channel, not printed']],
    ['extra channels', 'image/jpeg', { ...plain, extraChannels: 2 }, ['2 extra channels, not printed']],
  ])('%s', (_name, declared, found, notes) => {
    expect(artworkNotes(declared, found)).toEqual(notes);
  });
});
