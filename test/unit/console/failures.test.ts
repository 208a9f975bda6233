// The console has its own build settings, with modules for browsers only.
const { failureWords } = require('../../../packages/console/src/screens/settings/failures') as {
  failureWords: (failure: string) => string;
};

it.each([
  ['forgetExpired: no such table', 'Expired records were not deleted (no such table)'],
  ['forgetExpired: no such table\nLINE 1: DELETE', 'Expired records were not deleted (no such table\nLINE 1: DELETE)'],
  [
    'sweepArtwork: 503\r\n<html>; compareArtwork: late\n; other: kept',
    'Unused artwork was not deleted (503\r\n<html>); Artwork was not compared (late\n); other: kept',
  ],
])('%j becomes %j', (failure, words) => expect(failureWords(failure)).toBe(words));
