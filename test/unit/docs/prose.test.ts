import { lintProse } from './prose';
import { asMarkdown, codeWithProse, markdownPages, openApiDocuments, openApiTexts, stringsOf, type ProseSource } from './prose-sources';
import { typstTextsOf } from './typst-texts';

/** Quotes titles of tests and of OWASP's requirements. */
const EXCLUDED = ['docs/asvs.md'];

const sources = [...markdownPages(), ...openApiDocuments(), ...codeWithProse()].filter(({ name }) => !EXCLUDED.includes(name));
let passives = 0;

it.each(sources.map((source): [string, ProseSource] => [source.name, source]))('%s', async (_name, source) => {
  const report = await lintProse(source.read());
  passives += report.passives;
  const findings = report.findings.map(({ line, rule, message, sentence }) => `${source.placeOf(line)} ${rule}: ${message}: ${sentence}`);
  expect(findings).toEqual([]);
});

afterAll(() => {
  process.stdout.write(`prose: ${passives} clauses in ${sources.length} texts may be in the passive voice\n`);
});

const words = (count: number): string => `${Array.from({ length: count }, () => 'word').join(' ')}.`;

describe('a sentence that breaks a rule is found', () => {
  it.each([
    ['more than 25 words', words(26), 'sentence-length'],
    ['more than 25 words in a table', `| a | b |\n|---|---|\n| ${words(26)} | b |`, 'sentence-length'],
    ['more than 25 words over lines', words(26).replaceAll('word word', 'word\nword'), 'sentence-length'],
    ['whoever', 'Whoever signs in sees it.', 'words'],
    ['nobody', 'An order that nobody pays.', 'words'],
    ['somebody', 'It waits until somebody resolves it.', 'words'],
    ['everybody', 'It concerns everybody.', 'words'],
    ['whatever', 'Whatever its state, it is sent again.', 'words'],
    ['what … is', 'It lowers what the account then is asked for.', 'words'],
    ['what … are', 'It says what the people of the studio are asked to do.', 'words'],
    ['what … is, around a code span', 'It says what `order.shipped` is.', 'words'],
    ['British spelling', 'The colour of the riser.', 'words'],
    ['British spelling of a verb', 'The service recognises the file.', 'words'],
    ['British spelling in a link', '[The behaviour](https://example.com) of the service.', 'words'],
    ['British spelling in a heading', '# Licences', 'words'],
    ['British spelling in a list', '- one\n- *grey* two', 'words'],
  ])('%s', async (_kind, text, rule) => {
    expect((await lintProse(text)).findings).toEqual([expect.objectContaining({ rule })]);
  });

  it('with its line and its text', async () => {
    const { findings } = await lintProse('# Title\n\nA good sentence. The `colourSpace` has a colour.\nAnother one.\n');
    expect(findings).toEqual([{ line: 3, rule: 'words', message: 'colour => color', sentence: 'The `colourSpace` has a colour' }]);
  });

  it('in the passive voice, which only counts', async () => {
    expect(await lintProse('The order was shipped by the studio.')).toEqual({ findings: [], passives: 1 });
  });
});

it.each([
  ['25 words', words(25)],
  ['a code span as one word', `\`${words(30)}\` is one word.`],
  ['a list of code spans as one word', `The fields ${'`id`, '.repeat(30)}\`name\` are here.`],
  ['a question', 'What is the status of my order?'],
  ['names of the API', 'The `colourSpace` of a moulding in the catalogue; the order is cancelled.'],
  ['a fenced block', '```sh\n# whoever reads the colour\n```'],
])('%s is allowed', async (_kind, text) => {
  expect((await lintProse(text)).findings).toEqual([]);
});

it('strings of the code are found with their lines', () => {
  const source = "// a comment\n\nconst a = `the ${b ? 'first order' : 'é'} of ${c}`;\nf('one ' +\n  'sentence' + d);\ng('id');";
  expect(stringsOf('a.ts', source)).toEqual([
    { place: 'a.ts:3', text: 'the x of x' },
    { place: 'a.ts:3', text: 'first order' },
    { place: 'a.ts:4', text: 'one sentencex' },
  ]);
});

describe('texts of a PDF template', () => {
  const template = `#import "house.typ": *
// a comment
#let data = json("data of x.json")
#let total(one) = { text(size: 9pt, "the " + one); label("How to pay") }

= Packing slip
#for row in data.rows { [The order
*is* #row.state.] }
#if data.isLate [It is late.] else [It is on time.]
Sent by #strong(data.name)[the studio], and paid.
`;

  it('are found with their lines', () => {
    expect(typstTextsOf('a.typ', template)).toEqual([
      { place: 'a.typ:3', text: 'data of x.json' },
      { place: 'a.typ:4', text: 'How to pay' },
      { place: 'a.typ:6', text: 'Packing slip' },
      { place: 'a.typ:7', text: 'The order\nis x.' },
      { place: 'a.typ:9', text: 'It is late.' },
      { place: 'a.typ:9', text: 'It is on time.' },
      { place: 'a.typ:10', text: 'the studio' },
      { place: 'a.typ:10', text: 'Sent by x, and paid.' },
    ]);
  });

  it('fail with a sentence that breaks a rule', async () => {
    const source = asMarkdown('a.typ', () => typstTextsOf('a.typ', '#fact("Colour of it")\n\n[Whoever pays, quotes it.]'));
    const { findings } = await lintProse(source.read());
    expect(findings.map(({ line, message }) => `${source.placeOf(line)} ${message}`)).toEqual([
      expect.stringMatching(/^a.typ:1 Colour/),
      expect.stringMatching(/^a.typ:3 Whoever/),
    ]);
  });
});

it('texts of an OpenAPI document are found with their places', () => {
  const document = {
    info: { description: 'One.' },
    paths: { '/a': { get: { summary: 'Two.', example: { error: { message: 'Three.' } } } } },
  };
  expect(openApiTexts(document)).toEqual([
    { place: '#/info/description', text: 'One.' },
    { place: '#/paths//a/get/summary', text: 'Two.' },
    { place: '#/paths//a/get/example/error/message', text: 'Three.' },
  ]);
});
