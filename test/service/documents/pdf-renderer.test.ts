import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { projectRoot } from '../../../scripts/start/project';
import { factsOf, lineDetail } from '../../../src/documents/line-facts';
import { BOUNDS, PdfRenderer, type PdfContent } from '../../../src/documents/pdf-renderer';
import { printableText } from '../../../src/documents/printable';
import { MAX_PRINTED_LETTERS } from '../../../src/documents/printed-letters';
import { findFirstUnprintable, MAX_PRINTED_ENTRIES, createStatementContent } from '../../../src/documents/statement';
import { createLogger } from '../../../src/platform/logger';
import type { PresentedStatement } from '../../../src/presenters/statement';
import { propertyRuns } from '../../support/property-runs';
import { anItem, priceItems } from '../../unit/domain/pricing/basket';
import { waitFor } from '../../support/wait-for';
import { scanBarcode } from './code-128';
import { PdfReader } from './support';

const NOW = new Date('2026-03-05T00:30:00Z');
const silentLogger = createLogger('silent', 'test');

const packingSlip = (data: Record<string, unknown> = {}): PdfContent => ({
  template: 'packing-slip',
  data: {
    title: 'Packing slip P-10001',
    footer: 'Order P-10001',
    isTest: false,
    orderNumber: 'P-10001',
    reference: null,
    sender: null,
    date: '5 March 2026',
    shipTo: ['Ada Customer'],
    parcel: [],
    lines: [{ product: 'Fine art print', detail: 'Line 1', reference: '', quantity: '1' }],
    note: 'This parcel contains the whole order.',
    ...data,
  },
  barcodes: { 'order-number': 'P-10001' },
});

/** Names of regions and languages, in 246 languages and their scripts. */
const NAMES = Intl.DisplayNames.supportedLocalesOf(everyLanguageCode()).flatMap((language) => {
  const regions = new Intl.DisplayNames([language], { type: 'region' });
  const languages = new Intl.DisplayNames([language], { type: 'language' });
  return [...['AU', 'BA', 'CI', 'KH'].map((code) => regions.of(code)), ...['en-AU', 'zh-Hant'].map((code) => languages.of(code))];
});

/** `aa` to `zzz`, without former codes of other languages. */
function everyLanguageCode(): string[] {
  const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = alphabet.flatMap((one) => alphabet.map((other) => one + other));
  const codes = [...pairs, ...pairs.flatMap((pair) => alphabet.map((letter) => pair + letter))];
  return codes.filter((code) => Intl.getCanonicalLocales(code)[0] === code);
}

/** Marks, letters of joining scripts and signs of several scripts. Combinations of them crash the renderer most often. */
const TROUBLESOME_CHARACTERS = Array.from({ length: 0xffff - 0x20 }, (_none, at) => String.fromCharCode(at + 0x20)).filter((letter) =>
  /[\p{M}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Mongolian}\p{Script=Tibetan}]|(?=\p{Script=Common})\p{P}/u.test(letter),
);

describe('the PDF renderer', () => {
  let press: PdfRenderer;
  let reader: PdfReader;
  let logged = '';
  beforeEach(() => {
    logged = '';
  });
  beforeAll(() => {
    // On a busy machine, the search for a crashing text must not run out of time.
    press = new PdfRenderer(createLogger('info', 'test', { write: (line) => (logged += line) }), { ...BOUNDS, timeMs: 840_000 });
    reader = new PdfReader();
  });
  afterAll(() => {
    press.close();
    reader.close();
  });
  const renderText = async (draft: PdfContent): Promise<string[]> => reader.textOf(await press.render(draft, NOW));

  /** Fonts of each script. */
  const SCRIPTS: [name: string, font: string][] = [
    ['Zoë Đặng Łukasz', 'NotoSans'],
    ['Ελευθερία Παπαδοπούλου', 'NotoSans'],
    ['Ярослава Щербакова', 'NotoSans'],
    ['王小明 歐陽繁體 山田 はなこ カナ', 'NotoSansHans'],
    ['김철수 뷁', 'NotoSansKR'],
    ['عبد الله بن محمد', 'NotoSansArabic'],
    ['שלום', 'NotoSansHebrew'],
    ['अनुष्का शर्मा', 'NotoSans'],
    ['สมชาย ใจดี', 'NotoSansThai'],
    ['😀', 'NotoEmoji'],
  ];

  it('a name uses a font that contains its script', async () => {
    for (const [name, font] of SCRIPTS) {
      const pdf = (await press.render(packingSlip({ shipTo: [name] }), NOW)).toString('latin1');
      const fonts = [...new Set([...pdf.matchAll(/\/BaseFont \/[A-Z]+\+(\w+)-(?:Regular|Bold)\b/g)].map(([, found]) => found))];
      expect([name, fonts.toSorted()]).toEqual([name, [...new Set(['NotoSans', font])].toSorted()]);
    }
    const text = (await renderText(packingSlip({ shipTo: SCRIPTS.map(([name]) => name) }))).join('');
    // Some scripts are read in another order. The letters are the same.
    for (const [name] of SCRIPTS.slice(0, 5)) for (const letter of name.replaceAll(' ', '')) expect(text).toContain(letter);
  });

  it('a name in a script without a font does not prevent the document', async () => {
    const text = (await renderText(packingSlip({ shipTo: ['বাংলা தமிழ் አማርኛ', '12 Harbour Street'] }))).join('');
    expect(text).toContain('12 Harbour Street');
    expect(logged).toBe('');
  });

  it('text is never executed: markup, code and paths are printed unchanged', async () => {
    const texts = [
      '#eval("1+1")',
      '#read("pdf-renderer.mjs")',
      '*bold* _italic_ $x^2$ @ref <label> `raw` // no comment',
      '#set page(width: 1pt)',
      '\\u{41} "',
    ];
    const text = (await renderText(packingSlip({ shipTo: texts, note: texts.join(' | ') }))).join('');
    for (const written of texts) expect(text.split(written)).toHaveLength(3);
  });

  it('200 lines use as many pages as they need, with the head on each and no line lost', async () => {
    const lines = Array.from({ length: 200 }, (_none, at) => ({
      product: `Custom framing ${at}.`,
      detail: '',
      reference: `A-${at}`,
      quantity: '990',
    }));
    const pages = await renderText(packingSlip({ lines }));
    expect(pages.length).toBeGreaterThan(3);
    for (const [at, page] of pages.entries()) {
      expect(page).toContain('REFERENCE');
      expect(page).toContain(`Page ${at + 1} of ${pages.length}`);
    }
    for (const { product } of lines) expect(pages.join(' ')).toContain(product);
  });

  it('an entry of a statement takes one row of the page, also on the longest date', async () => {
    const booked = { type: 'invoice', invoiceNumber: 'INV-10001', bookedOn: '2026-09-28', amountCents: 4250, balanceCents: 4250 };
    const statement = {
      accountName: 'Gallery North',
      environment: 'live',
      currency: 'AUD',
      from: '2026-09-28',
      to: '2026-09-28',
      openingCents: 0,
      closingCents: 0,
      closingOutstandingCents: 0,
      closingCreditCents: 0,
      openInvoices: [],
      entries: Array.from({ length: 20 }, (_none, line) => ({ ...booked, receivedOn: null, refundedOn: null, line })),
    } as unknown as PresentedStatement;
    const draft = createStatementContent({
      statement,
      buyer: { name: 'A', email: 'a@b.c', abn: null, address: null },
      studio: null,
      timeZone: 'UTC',
      printedAt: NOW,
    });
    const pages = await renderText(draft);
    expect(pages).toHaveLength(1);
    expect(pages[0]?.match(/28 Sept 2026 Invoice INV-10001 \$42\.50/g)).toHaveLength(20);
  });

  it('text without spaces breaks into lines, and none is lost', async () => {
    const run = Array.from({ length: 400 }, (_none, at) => `${at % 10}`).join('');
    const text = (await renderText(packingSlip({ lines: [{ product: run, detail: '', reference: run, quantity: '1' }] })))
      .join('')
      .replace(/\s/g, '');
    // The columns are side by side, so the test counts the printed characters: both runs, and a few figures.
    for (const figure of '23467') expect(text.split(figure).length).toBeGreaterThan(80);
  });

  it('TEST is across every page of a test order, and across no other', async () => {
    const lines = Array.from({ length: 60 }, () => ({
      product: 'Fine art print',
      detail: 'Line 1',
      reference: '',
      quantity: '1',
    }));
    const pages = await renderText(packingSlip({ isTest: true, lines }));
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page.match(/\bTEST\b/g)).toHaveLength(2);
    expect((await renderText(packingSlip({ lines }))).join(' ')).not.toContain('TEST');
  });

  it('a template that fails to compile fails, and the next document is rendered', async () => {
    await expect(press.render(packingSlip({ lines: 'none' }), NOW)).rejects.toThrow('could not be rendered');
    expect((await renderText(packingSlip()))[0]).toContain('Ada Customer');
  });

  describe('any text', () => {
    const UNPRINTABLE = '[unprintable]';
    /** Crashes the renderer in any column. */
    const CRASHING = '\u06b6\u0f9a\u02ec\u3018';

    it.each([CRASHING, '\u06ed\u0965'.repeat(14)])(
      '%j is printed as [unprintable] if it crashes the renderer; other texts stay, and the log contains none',
      async (text) => {
        const lines = Array.from({ length: 200 }, (_none, at) => ({
          product: `Custom framing ${at}.`,
          detail: '',
          reference: at === 150 ? text : `Ζωή ${at}.`,
          quantity: '1',
        }));
        const printed = (await renderText(packingSlip({ shipTo: ['王小明'], lines }))).join(' ');
        expect(printed.split(UNPRINTABLE)).toHaveLength(2);
        expect(printed).toContain('王小明');
        for (const { product, reference } of lines) {
          expect(printed).toContain(product);
          if (reference !== text) expect(printed).toContain(reference);
        }
        expect(logged).toContain('"texts":1');
        for (const letter of text) expect(logged).not.toContain(letter);
      },
    );

    it('that crashes the renderer is replaced beyond the search limit too, together with untested text', async () => {
      const lines = Array.from({ length: 100 }, (_none, at) => ({
        product: `${CRASHING}${at}`,
        detail: '',
        reference: 'Z-1',
        quantity: '1',
      }));
      const printed = (await renderText(packingSlip({ lines, note: 'as written' }))).join(' ');
      expect(printed.split(UNPRINTABLE)).toHaveLength(101);
      expect(printed).toContain('as written');
    });

    it('names of countries and languages, in every language of Node, are printed unchanged, also without spaces', async () => {
      for (let at = 0; at < NAMES.length; at += 40) {
        const names = NAMES.slice(at, at + 40);
        await press.render(
          packingSlip({ shipTo: names, parcel: [['In one', names.join('')]], note: names.join('').replaceAll(' ', '') }),
          NOW,
        );
      }
      expect(logged).toBe('');
    });

    it('random Unicode is rendered', async () => {
      const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...TROUBLESOME_CHARACTERS)), { maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(fc.array(text, { maxLength: 4 }), async (texts) => {
          const rows = texts.map((parts) => parts.join(''));
          const pdf = await press.render(packingSlip({ shipTo: rows, note: rows.join(' ') }), NOW);
          expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
        }),
        propertyRuns(300),
      );
    });
  });

  it('an unreadable picture leaves the document unchanged', async () => {
    const draft = { ...packingSlip(), pictures: new Map([['preview-0.jpg', Buffer.from('no picture')]]) };
    expect((await renderText(draft))[0]).toContain('Ada Customer');
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a failing renderer', () => {
  const draftWithTitle = (title: string): PdfContent => ({ template: 'packing-slip', data: { title, footer: '', isTest: false } });
  const bounds = { maxWaiting: 2, startMs: 60_000, timeMs: 60_000, busyMs: 600_000, memoryBytes: 256 * 1024 * 1024, idleMs: 60_000 };
  const program = path.join(__dirname, 'stuck-renderer.mjs');

  it.each([
    ...(process.platform === 'linux'
      ? ([
          ['hang', { ...bounds, timeMs: 500 }, 'not rendered within 500 ms'],
          ['grow', bounds, 'exceeded the memory limit'],
        ] as const)
      : []),
    ['die', bounds, 'the PDF renderer ended (SIGABRT)'] as const,
  ])('%s: that document fails, and the next is rendered', async (title, bound, reason) => {
    const press = new PdfRenderer(silentLogger, bound, program);
    await expect(press.render(draftWithTitle(title), NOW)).rejects.toThrow(reason);
    expect((await press.render(draftWithTitle('next'), NOW)).toString()).toBe('%PDF');
    press.close();
  });

  it('a process that starts slowly has its own time, and texts are not blamed if it does not start', async () => {
    const slow = path.join(__dirname, 'slow-renderer.mjs');
    const press = new PdfRenderer(silentLogger, { ...bounds, timeMs: 500 }, slow);
    expect((await press.render(draftWithTitle('next'), NOW)).toString()).toBe('%PDF');
    press.close();
    const hasty = new PdfRenderer(silentLogger, { ...bounds, startMs: 1 }, slow);
    await expect(hasty.render(draftWithTitle('a'.repeat(30)), NOW)).rejects.toThrow('the PDF renderer did not start within 1 ms');
    hasty.close();
  });

  it('a document that waits for a busy machine is rendered, and its text is not blamed for a machine that is too busy', async () => {
    const title = 'wait 王小明';
    const patient = new PdfRenderer(silentLogger, { ...bounds, timeMs: 500 }, program);
    expect((await patient.render(draftWithTitle(title), NOW)).toString()).toBe(title);
    patient.close();
    const hasty = new PdfRenderer(silentLogger, { ...bounds, busyMs: 300 }, program);
    await expect(hasty.render(draftWithTitle(title), NOW)).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 5 });
    hasty.close();
  });

  it('a document that cannot be sent fails, and the process ends after its idle time', async () => {
    const press = new PdfRenderer(silentLogger, { ...bounds, idleMs: 1 }, program);
    const pid = Number((await press.render(draftWithTitle('pid'), NOW)).toString());
    const unsendable = { ...draftWithTitle('next'), barcodes: { 'order-number': (() => 'none') as unknown as string } };
    await expect(press.render(unsendable, NOW)).rejects.toThrow('could not be cloned');
    await waitFor('the end of the process', async () => !isRunning(pid));
    expect((await press.render(draftWithTitle('next'), NOW)).toString()).toBe('%PDF');
    press.close();
  });

  it('documents above the limit are refused, and waiting ones are rendered in order', async () => {
    const press = new PdfRenderer(silentLogger, bounds, program);
    const printing = ['one', 'two', 'three'].map((title) => press.render(draftWithTitle(title), NOW));
    expect(() => press.render(draftWithTitle('four'), NOW)).toThrow('documents are waiting');
    expect((await Promise.all(printing)).map(String)).toEqual(['%PDF', '%PDF', '%PDF']);
    press.close();
    await expect(press.render(draftWithTitle('late'), NOW)).rejects.toThrow('stopping');
  });
});

it('a scanner reads the order number from its code', () => {
  const numbers = ['P-10001', 'T-99', 'P-123456789012345-R12'];
  const program = `const { barcode } = await import(${JSON.stringify(pathToFileURL(`${projectRoot}/src/documents/templates/barcode.mjs`))});
    process.stdout.write(JSON.stringify(${JSON.stringify(numbers)}.map(barcode)));`;
  const drawn = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })) as string[];
  expect(drawn.map(scanBarcode)).toEqual(numbers);
});

describe('printable text', () => {
  it.each<[string, string, string]>([
    ['overrides of direction', 'a\u202egnp.exe\u202c\u2066b\u2069', 'agnp.exeb'],
    ['control characters', 'a\u0007b\u001b[31m\u009c', 'a\ufffdb\ufffd[31m\ufffd'],
    ['breaks of every kind', 'a\r\nb\rc\u2028d\te', 'a\nb\nc\nd e'],
    ['heaped marks', `e${'\u0301'.repeat(50)}!`, `e${'\u0301'.repeat(4)}!`],
    ['joiners of letters', 'क्\u200dष 👩\u200d🎨', 'क्\u200dष 👩\u200d🎨'],
    [
      'a long run with a mark above a letter',
      `e\u0301${'x'.repeat(25)}`,
      `e\u0301${'x'.repeat(7)}\u200b${'x'.repeat(8)}\u200b${'x'.repeat(8)}\u200bxx`,
    ],
    ['a long run', 'x'.repeat(26), `${`${'x'.repeat(8)}\u200b`.repeat(3)}xx`],
    ['a long run of Han', '王'.repeat(26), `${`${'王'.repeat(8)}\u200b`.repeat(3)}王王`],
    ['a long run of letters that join', 'ع'.repeat(26), 'ع'.repeat(26)],
    ['a long run of syllables', 'क्ष'.repeat(26), 'क्ष'.repeat(26)],
    ['marks of one script on signs of others', '\u06ed\u0965'.repeat(14), '\u06ed\u0965'.repeat(14)],
    ['a long run in two scripts', `${'x'.repeat(12)}${'ع'.repeat(12)}xx`, `${'x'.repeat(8)}\u200bxxxx${'ع'.repeat(12)}x\u200bx`],
  ])('%s', (_what, text, printed) => {
    expect(printableText(text)).toBe(printed);
  });
  it('endless text is cut, and marked as cut', () => {
    expect(printableText('ab '.repeat(100_000))).toMatch(/^(ab ){2000}.* …$/s);
  });
});

describe('the size of a printed statement', () => {
  const entry = (reference: string) =>
    ({ type: 'payment', paymentId: null, invoiceNumber: null, reference }) as PresentedStatement['entries'][number];
  const booked = (count: number, reference: string) => Array.from({ length: count }, () => entry(reference));
  const long = 'é'.repeat(500);

  it.each<[string, number, string, number]>([
    ['the limit of entries', MAX_PRINTED_ENTRIES, 'EFT', -1],
    ['one more', MAX_PRINTED_ENTRIES + 1, 'EFT', MAX_PRINTED_ENTRIES],
    ['long words', MAX_PRINTED_ENTRIES, long, Math.floor(MAX_PRINTED_LETTERS / (long.length + 'Payment held as credit · '.length))],
    [
      'words in other scripts',
      MAX_PRINTED_ENTRIES,
      '漢'.repeat(50),
      Math.floor(MAX_PRINTED_LETTERS / (500 + 'Payment held as credit · '.length)),
    ],
  ])('%s', (_what, count, reference, at) => {
    expect(findFirstUnprintable(booked(count, reference))).toBe(at);
  });
});

describe('the description of a line', () => {
  const nameOf = (section: string, id: string) => (id === 'unknown' ? undefined : `${section}:${id}`);
  it.each<[Record<string, string>, [string, string][]]>([
    [
      { artworkWidthMm: '400', artworkHeightMm: '300', mediaId: 'm' },
      [
        ['Size', '400 mm wide × 300 mm high, landscape'],
        ['Printed on', 'media:m'],
      ],
    ],
    [{ mediaId: 'unknown' }, [['Printed on', 'unknown']]],
    [{ borderMm: '20', borderMode: 'inside' }, [['White border', '20 mm, part of the size']]],
    [{ borderMm: '0', tornEdge: 'true' }, [['Torn edge', 'yes, deckled']]],
    [
      { matColorId: 'w', matSizeMm: '50' },
      [
        ['Mat', 'matboards:w'],
        ['Mat border', '50 mm on every side'],
      ],
    ],
    [
      { matColorId: 'w', matTopMm: '10', matRightMm: '20', matBottomMm: '30', matLeftMm: '20' },
      [
        ['Mat', 'matboards:w'],
        ['Mat border', 'top 10 mm, right 20 mm, bottom 30 mm, left 20 mm'],
      ],
    ],
    [{ matSizeMm: '60' }, []],
    [
      { matColorId: 'w', matSizeMm: '20', raisedFloat: 'true', raisedFloatDepthMm: '10' },
      [
        ['Mat', 'matboards:w'],
        ['Reveal', '20 mm on every side'],
        ['Raised float', 'on a riser of 10 mm'],
      ],
    ],
    [{ textWindowWidthMm: '90', textWindowHeightMm: '20' }, [['Caption window', '90 mm wide × 20 mm high, below the artwork']]],
    [{ raisedFloat: 'true', raisedFloatRiserColour: 'black' }, [['Raised float', 'on a riser of 6 mm, black']]],
    [{ format: 'print-only' }, [['Format', 'rolled, not stretched']]],
    [
      { depth: '30mm', finish: 'matte' },
      [
        ['Format', 'stretched over a bar of 30mm'],
        ['Finish', 'matte'],
      ],
    ],
    [
      { mouldingId: 'o', glazingId: 'g', backingId: 'b' },
      [
        ['Moulding', 'mouldings:o'],
        ['Glazing', 'glazing:g'],
        ['Backing', 'backing:b'],
      ],
    ],
    [{ somethingNew: '7' }, [['somethingNew', '7']]],
  ])('%j', (selections, facts) => {
    expect(factsOf(selections, nameOf)).toEqual(facts);
  });
  it.each<[string, string, Record<string, string | undefined>, string | undefined, string | undefined]>([
    ['a mat', 'custom-framing', { matSizeMm: undefined }, '60 mm on every side', undefined],
    ['a mat without a frame', 'print-and-mat', { matSizeMm: undefined }, '60 mm on every side', undefined],
    [
      'a raised float',
      'custom-framing',
      { matSizeMm: undefined, raisedFloat: 'true', raisedFloatDepthMm: '10', mouldingId: 'moulding-float-oak-15' },
      undefined,
      '60 mm on every side',
    ],
    ['no mat', 'custom-framing', { matColorId: undefined }, undefined, undefined],
  ])('%s shows the border that was priced: %s', (_what, slug, change, matBorder, reveal) => {
    const [job] = priceItems([anItem(slug, change)]).jobs;
    const facts = new Map(factsOf(job?.selections ?? {}, nameOf, job?.cuts));
    expect([facts.get('Mat border'), facts.get('Reveal')]).toEqual([matBorder, reveal]);
  });
  it('lines of one product are distinguished by their number, size and main materials', () => {
    const framed = { artworkWidthMm: '400', artworkHeightMm: '300', mediaId: 'm', mouldingId: 'o', glazingId: 'g', backingId: 'b' };
    expect(lineDetail(1, framed, nameOf)).toBe('Line 2 · 400 mm wide × 300 mm high, landscape · media:m · mouldings:o');
    expect(lineDetail(0, undefined, nameOf)).toBe('Line 1');
  });
});
