import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inNode } from './in-node';

const what = { cached: [], wanted: '1.9.1', downloads: ['sdk', 'wheel'], lastResort: 'go' };

async function order(change: object): Promise<unknown> {
  const { result } = await inNode(
    `
    const { sourcesInOrder } = await lib('sources.mjs');
    return sourcesInOrder(input).map(({ use, get }) => use ?? get);`,
    { ...what, ...change },
  );
  return result;
}

describe('The order in which a program is looked for', () => {
  it('takes what is on the PATH and nothing else', async () => {
    expect(await order({ onPath: '/usr/bin/temporal', cached: [{ path: 'wheel', version: '1.9.1' }] })).toEqual(['/usr/bin/temporal']);
  });

  it('without anything at hand tries the downloads, then builds', async () => {
    expect(await order({})).toEqual(['sdk', 'wheel', 'go']);
  });

  it.each([
    ['the one that would be downloaded', '1.9.1', ['cached', 'sdk', 'wheel', 'go']],
    ['a newer one', '1.10.0', ['cached', 'sdk', 'wheel', 'go']],
    ['an older one, which is left for when no download works', '1.5.1', ['sdk', 'wheel', 'cached', 'go']],
    ['a broken one', '0', ['sdk', 'wheel', 'cached', 'go']],
  ])('knows what to do with a cache that has %s', async (_what, version, expected) => {
    expect(await order({ cached: [{ path: 'cached', version }] })).toEqual(expected);
  });

  it('takes the newest of the cache', async () => {
    const cached = [
      { path: 'a', version: '1.5.1' },
      { path: 'b', version: '1.9.1' },
      { path: 'c', version: '1.10.0' },
      { path: 'd', version: '1.8.7' },
    ];
    expect(await order({ cached })).toEqual(['c', 'b', 'sdk', 'wheel', 'd', 'a', 'go']);
  });

  it("takes the SDK's own choice for the newest where its version cannot be told", async () => {
    expect(await order({ cached: [{ path: 'wheel', version: '1.40.0' }, { path: 'sdk' }] })).toEqual([
      'sdk',
      'wheel',
      'sdk',
      'wheel',
      'go',
    ]);
  });
});

describe('The place Python packages come from', () => {
  const home = mkdtempSync(join(tmpdir(), 'trade-print-pip-'));
  const file = join(home, 'other.conf');
  beforeAll(() => {
    mkdirSync(join(home, '.config', 'pip'), { recursive: true });
    writeFileSync(
      join(home, '.config', 'pip', 'pip.conf'),
      '[global]\ntimeout = 60\nindex-url = https://mirror.example/simple\n# index-url = https://no.example\n',
    );
    writeFileSync(file, '[search]\nindex = https://no.example\n[global]\nindex_url: https://file.example/root/simple/\n');
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.each([
    ["pip's environment variable", { PIP_INDEX_URL: 'https://env.example/simple', PIP_CONFIG_FILE: file }, 'https://env.example/simple'],
    ['the file that another variable names', { PIP_CONFIG_FILE: file }, 'https://file.example/root/simple/'],
    ["pip's file below the home folder", {}, 'https://mirror.example/simple'],
    ['PyPI', { PIP_CONFIG_FILE: '/dev/null' }, 'https://pypi.org/simple/'],
  ])('is that of %s', async (_what, env, expected) => {
    const { result } = await inNode(`return (await lib('package-index.mjs')).packageIndex(input.env, input.home)`, { env, home });
    expect(result).toBe(expected);
  });
});
