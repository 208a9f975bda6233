import { findDangling, findReferringFiles, findDanglingIn } from './references';

/** The examples in this file are broken on purpose. */
const EXAMPLES = ['test/unit/docs/references.ts', 'test/unit/docs/references.test.ts', 'test/unit/http/guides.test.ts'];

it('every reference has a target', () => {
  const files = findReferringFiles().filter((file) => !EXAMPLES.includes(file));
  const found = files.map((file) => ({ file, dangling: findDanglingIn(file) }));
  expect(found.filter((one) => one.dangling.length > 0)).toEqual([]);
});

describe('a broken reference is found', () => {
  it.each([
    ['a ruling', '/** Kept (ruling 999). */'],
    ['one of several rulings', '/** Kept (rulings 4, 5 and 999). */'],
    ['the end of a range of rulings', '/** Kept (rulings 64–999). */'],
    ['a ruling over a line break', '/**\n * Kept for ever (ruling\n * 999).\n */'],
    ['a ruling in a title', "it('is followed (ruling 0)', () => {});"],
    ['a section of the specification', '/** Kept (specification "Limitations"). */'],
    ['a section over a line break', '/**\n * Kept (specification\n * "Variant choices").\n */'],
    ['one of several sections', '// the table of the specification ("Endpoints", "Budgets")'],
    ['an unknown item of a section', '/** Kept (specification "Signature verification" 1 and 6). */'],
    ['an unknown rule of a section', '/** Kept (specification "POST /orders" rule 13). */'],
    ['an item without a section', '/** Kept (specification, 4). */'],
    ['a section of the studio API', '/** Kept (studio API "Processes and settings"). */'],
    ['a section of the README', '# As README.md, "Setting", says.'],
    ['a missing document', '/** See architecture "Who owns what". */'],
    ['a missing page', '// see docs/layers.md'],
    ['a missing page by its name', '// see placing-and-relay.md'],
    ['an anchor', '// see docs/workflows.md#by-signals'],
    ['a section of a page', '// the drill of docs/operations.md "Back-ups", step by step'],
    ['a file', '// its rules are in src/domain/laws.ts'],
  ])('%s', (_what, text) => {
    expect(findDangling('src/domain/money.ts', text)).toHaveLength(1);
  });

  it.each([
    'decision 200',
    'rulings no. 999',
    'ruling #999',
    'rulings 34—999',
    'rulings 34…999',
    'rulings 34...999',
    'Ruling: 999',
    'ruling "999"',
    'docs/decisions 999',
    'docs/decisions, 34',
    'specification §99',
    "specification 'Nothing here'",
    'specification “Limits”',
    'spec "Nothing here"',
    'spec §4',
  ])('in an unsupported format: %s', (cited) => {
    expect(findDangling('src/domain/money.ts', `/** Kept (${cited}). */`)).toEqual([expect.stringContaining(': write ')]);
  });

  it.each(['scripts/start/start.ts', 'scripts/demo/index.ts', 'CONTRIBUTING.md', 'CHANGELOG.md'])('%s is recognized', (file) => {
    expect(findReferringFiles()).toContain(file);
  });

  it.each([
    ['a page', 'See [workflows](workflow.md).'],
    ['an anchor of another page', 'See [by signal](workflows.md#by-signals).'],
    ['an anchor of this page', '# Backups\n\nSee [above](#back-ups).'],
    ['an anchor in a definition', 'See [ruling 34].\n\n[ruling 34]: decisions/orders.md#choice'],
    ['a file', 'It is in `test/http/nothing.test.ts`.'],
    ['a ruling by another title', 'See [ruling 34](decisions/orders.md#34-placing).'],
    ['a heading in a fence', '```\n# Backups\n```\n\nSee [above](#backups).'],
  ])('in a page: %s', (_what, text) => {
    expect(findDangling('docs/operations.md', text)).toHaveLength(1);
  });
});

describe('a valid reference is accepted', () => {
  it.each([
    ['src/domain/money.ts', '/** Rounded once (rulings 2, 13–15; specification "Signature verification" 1 and 2, ruling 35). */'],
    ['src/domain/money.ts', '// the table of the specification ("Endpoints", "Limits"), as docs/workflows.md, "Changing a workflow", says'],
    ['src/domain/money.ts', '/** Kept (specification "POST /orders" rule 3, ruling 33). */'],
    ['src/domain/money.ts', "const made = 'src/domain/made-by-a-test.ts';"],
    [
      'docs/operations.md',
      '# Backups\n\n[above](#backups), [by signal](workflows.md#by-signal), [figures](../bench/README.md), `src/domain/limits.ts`',
    ],
  ])('%s: %s', (file, text) => {
    expect(findDangling(file, text)).toEqual([]);
  });
});
