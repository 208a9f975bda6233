import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { dataFilesIn, readGuides } from '../../../src/http/docs/guides';
import { linksIn, renderMarkdown, renderLine, sectionsOf } from '../../../src/http/docs/markdown';

const GUIDES = join(projectRoot, 'docs', 'guides');
const CLIENT = '../../packages/client/README.md';
const CHANGELOG = '../../CHANGELOG.md';

describe('a folder of guides', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'trade-print-guides-'));
    const files = {
      'README.md': '- [two](two.md)\n- [keys](studio/keys.md)',
      'one.md': 'Without a heading.',
      'two.md': '# The *second*\n\nSays `this`\nand that.\n\nNot this.',
      'studio/keys.md': '# Keys',
      'floor-systems.md': '# Floor systems',
      'notes.txt': 'no guide',
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is ordered by its README, then by name, and separates the studio's guides", () => {
    expect(readGuides(folder, 'studio').map(({ path }) => path)).toEqual(['two', 'studio/keys', 'floor-systems', 'one']);
    expect(readGuides(folder, 'clients').map(({ path }) => path)).toEqual(['two', 'one']);
  });

  it('has the first heading of each as its title, and the first paragraph as its summary', () => {
    const [two, one] = readGuides(folder, 'clients');
    expect([two?.title, two?.summary]).toEqual(['The *second*', 'Says `this`\nand that.']);
    expect([one?.title, one?.summary]).toEqual(['one', 'Without a heading.']);
  });
});

describe('a guide in HTML', () => {
  const served: Record<string, string> = {
    'README.md': 'docs/guides',
    'one.md': 'docs/guides/one',
    'studio/keys.md': 'docs/guides/studio/keys',
  };
  const html = (text: string): string =>
    renderMarkdown(text, { file: 'studio/keys.md', rootPath: '../../../', addressOf: (file) => served[file] ?? null });

  it.each([
    ['[a](../one.md)', '<a href="../../../docs/guides/one">a</a>'],
    ['[a](../one.md#part-two)', '<a href="../../../docs/guides/one#part-two">a</a>'],
    ['[a](keys.md)', '<a href="../../../docs/guides/studio/keys">a</a>'],
    ['[a](../README.md)', '<a href="../../../docs/guides">a</a>'],
    ['[a](#part)', '<a href="#part">a</a>'],
    ['[a](/docs)', '<a href="../../../docs">a</a>'],
    ['[a](https://example.com/x)', '<a href="https://example.com/x">a</a>'],
    ['[a `b`](../two.md), c', 'a <code>b</code>, c'],
    ['[a](../../security.md)', 'a'],
    ['[a](../../../docs/guides/one.md)', '<a href="../../../docs/guides/one">a</a>'],
    ['[a](javascript:alert(1))', '[a](javascript:alert(1))'],
    ['<b onclick="x()">a</b>', '&lt;b onclick=&quot;x()&quot;&gt;a&lt;/b&gt;'],
  ])('%s', (markdown, expected) => {
    expect(html(markdown)).toBe(`<p>${expected}</p>\n`);
  });

  it('shows HTML as text, in code and on separate lines', () => {
    expect(html('<script>alert(1)</script>')).not.toContain('<script');
    const code = html('```html\n<script>alert(1)</script>\n```');
    expect(code).toContain('<pre tabindex="0"><code class="language-html">');
    expect(code).not.toContain('<script');
    expect(code.replace(/<[^<>]*>/g, '')).toBe('&lt;script&gt;alert(1)&lt;/script&gt;\n\n');
  });

  it.each([
    ['sh', 'echo "a" # b', '<span class="hljs-comment"># b</span>'],
    ['json', '{ "a": "b" }', '<span class="hljs-string">&quot;b&quot;</span>'],
    ['js', 'const a = 1;', '<span class="hljs-keyword">const</span>'],
    ['ts', 'const a: string = b;', '<span class="hljs-keyword">const</span>'],
    ['py', 'import json', '<span class="hljs-keyword">import</span>'],
    ['text', 'const a', '<code class="language-text">const a\n</code>'],
  ])('colours %s', (language, code, expected) => {
    expect(html(`\`\`\`${language}\n${code}\n\`\`\``)).toContain(expected);
  });

  it('is searched by sections with their headings and texts', () => {
    expect(sectionsOf('# One *two*\nthree [four](five.md)\n## Six\n```sh\nseven\n```')).toEqual([
      { name: 'one-two', heading: 'One two', text: ' One two three four' },
      { name: 'six', heading: 'Six', text: ' Six seven\n' },
    ]);
  });

  it('has the heading anchors of GitHub', () => {
    expect([...html("# One `POST /orders`\n## It's done\n## It's done").matchAll(/id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      'one-post-orders',
      'its-done',
      'its-done-1',
    ]);
  });

  it('has a summary in one line without links', () => {
    expect(renderLine('See [the `key`](keys.md) & <b>')).toBe('See the <code>key</code> &amp; &lt;b&gt;');
  });
});

describe('the changelog', () => {
  const sections = (readers: 'clients' | 'studio') =>
    [...(readGuides(GUIDES, readers).find(({ path }) => path === 'changelog')?.markdown ?? '').matchAll(/^##+ .*$/gm)].map(
      ([line]) => line,
    );

  it('is complete for the studio; clients see the changes that concern them', () => {
    expect(sections('studio')).toEqual(
      expect.arrayContaining(['## Unreleased', '### For clients', '### For the studio', '### For operators']),
    );
    expect(new Set(sections('clients'))).toEqual(new Set(['## Unreleased', '### For clients']));
  });
});

describe('the guides', () => {
  const files = readdirSync(GUIDES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));

  it('are all listed in README.md, and every listed guide exists', () => {
    const named = linksIn(readFileSync(join(GUIDES, 'README.md'), 'utf8'));
    expect(named.toSorted()).toEqual([CHANGELOG, CLIENT, ...files.filter((file) => file !== 'README.md')].toSorted());
  });

  it.each(['clients', 'studio'] as const)('link %s only to pages that they can read', (readers) => {
    const guides = readGuides(GUIDES, readers);
    // The changelog is written for readers of the project; its links to pages that are not served are shown as text.
    const lost = guides
      .filter(({ file }) => file !== CHANGELOG)
      .flatMap(({ file: from, markdown }) =>
        linksIn(markdown)
          .filter((link) => !/^([a-z]+:|#|\/)/.test(link))
          .map((link) => posix.join(posix.dirname(from), link.split('#')[0] ?? ''))
          .filter((file) => ![...dataFilesIn(GUIDES), 'README.md'].includes(file) && !guides.some((other) => other.file === file))
          .map((file) => `${from} leads to ${file}`),
      );
    expect(lost).toEqual([]);
    expect(guides.length).toBeGreaterThan(0);
  });
});
