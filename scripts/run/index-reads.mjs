// `node scripts/run/index-reads.mjs <file>`: prints how often each index was read in the runs that wrote the file, rarest first.
// `INDEX_READS=<file> npm test` and `INDEX_READS=<file> npm run bench` write it.

import { readFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Which file? For example: node scripts/run/index-reads.mjs /tmp/index-reads');
const sums = new Map();
for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
  const { table, index, reads } = JSON.parse(line);
  const sum = sums.get(index) ?? { table, reads: 0 };
  sum.reads += reads;
  sums.set(index, sum);
}
const rarestFirst = [...sums].toSorted(([a, one], [b, other]) => one.reads - other.reads || (a < b ? -1 : 1));
for (const [index, { table, reads }] of rarestFirst) console.log(`${String(reads).padStart(10)}  ${index} (${table})`);
