import {
  type Carrier,
  DEFAULT_CARRIERS,
  findCarrier,
  maskIssue,
  proposeCarrier,
  repeatedCarrierText,
  templateIssue,
  trackingUrlOf,
} from '../../../src/domain/carriers';
import { withoutAimPrefix } from '../../../src/domain/gs1';
import { Random } from '../../support/random';

const aCarrier = (name: string, ...masks: string[]): Carrier => ({ name, services: [], trackingUrl: null, masks });
const proposed = (carriers: readonly Carrier[], label: string, preferred?: string): string | null => {
  const found = proposeCarrier(carriers, label, preferred);
  return found && `${found.carrier.name}: ${found.trackingNumber}`;
};

describe('the carrier of a label', () => {
  it.each([
    ['AP123456789AU', 'Australia Post: AP123456789AU'],
    ['ap 123 456 789 au', 'Australia Post: AP123456789AU'],
    ['1Z 999 AA1 01 2345 6784', 'UPS: 1Z999AA10123456784'],
    ['123456789012', 'FedEx: 123456789012'],
    ['1234567890', 'DHL Express: 1234567890'],
    [']C1019931265099999891JDQ019457101000930308', 'Australia Post: JDQ019457101000930308'],
    ['019931265099999891ABCDE019457101000930308', 'Australia Post: ABCDE019457101000930308'],
    ['(01)99312650999998(91)JDQ019457101000930308', 'Australia Post: JDQ019457101000930308'],
    // The square barcode: with postcode and time, with the separator of scanners, as the console shows it, and without separators.
    [']d2019931265099999891JDQ019457101000930308\u001d4202190\u001d8008250609142233', 'Australia Post: JDQ019457101000930308'],
    [']d2\u001d019931265099999891JDQ019457101000930308\u001d4202190', 'Australia Post: JDQ019457101000930308'],
    ['(01)9931265099999891JDQ019457101000930308 4202190 8008250609142233', 'Australia Post: JDQ019457101000930308'],
    [']d2019931265099999891JDQ01945710100093030842021908008250609142233', null],
    [']C1401WOMBAT12\u001d4210362190', null],
    [']C191TOLL1234\u001d800825060914', null],
    ['(00) 393123450000 000017', null],
    ['JD014600003870230384', 'DHL Express: JD014600003870230384'],
    ['(J)JD01 4600 0038 7023 0384', 'DHL Express: JD014600003870230384'],
    // Long barcodes of FedEx Express and FedEx Ground.
    ['1001921334250001000300779017972697', 'FedEx: 779017972697'],
    ['9622001900000000000000776632517510', 'FedEx: 776632517510'],
    ['9611020987654312345672', 'FedEx: 987654312345672'],
    ['4711', null],
    ['<script>alert(1)</script>', null],
    ['', null],
    [']C1', null],
    ['P-10001', null],
  ])('%s is %s', (label, expected) => {
    expect(proposed(DEFAULT_CARRIERS, label)).toBe(expected);
  });

  it('is that of the most exact mask, in any order', () => {
    const carriers = [
      aCarrier('any', '*'),
      aCarrier('wide', '??????'),
      aCarrier('digits', '######'),
      aCarrier('own', 'AB????'),
      aCarrier('long', 'AB*'),
    ];
    for (const list of [carriers, carriers.toReversed()]) {
      expect(proposed(list, 'ABCDEF')).toBe('own: ABCDEF');
      expect(proposed(list, '123456')).toBe('digits: 123456');
      expect(proposed(list, 'CDEFGH')).toBe('wide: CDEFGH');
      expect(proposed(list, 'AB12345')).toBe('long: AB12345');
    }
  });

  it('is none if two fit equally, unless one of them was chosen last', () => {
    const carriers = [aCarrier('One', '####'), aCarrier('Two', '####')];
    expect(proposed(carriers, '1234')).toBeNull();
    expect(proposed(carriers, '1234', 'two')).toBe('Two: 1234');
    expect(proposed(carriers, '1234', 'Three')).toBeNull();
  });

  it('is found in the elements of a GS1 label', () => {
    const carriers = [aCarrier('Sea', '##################'), aCarrier('Land', 'LND#*')];
    expect(proposed(carriers, '(00) 3 9312345 000000012 3')).toBe('Sea: 393123450000000123');
    expect(proposed(carriers, ']C100393123450000000123')).toBe('Sea: 393123450000000123');
    expect(proposed(carriers, ']C101993126509999989 1LND77')).toBe('Land: LND77');
    expect(proposed(carriers, ']C1401LND5')).toBe('Land: LND5');
    // As the console shows a scan.
    expect(proposed(carriers, withoutAimPrefix(']C1401LND5'))).toBe('Land: LND5');
    expect(proposed(carriers, withoutAimPrefix(']C101993126509999989 1LND77'))).toBe('Land: LND77');
  });

  it.each([
    [']C1401LND5', '(401)LND5'],
    [']d200393123450000000123', '(00)393123450000000123'],
    [']C0401LND5', '401LND5'],
    [']C11Z999AA10123456784', '1Z999AA10123456784'],
    ['401LND5', '401LND5'],
  ])('%s is shown as %s', (scanned, shown) => expect(withoutAimPrefix(scanned)).toBe(shown));

  it('is found at once in hostile labels', () => {
    const carriers = Array.from({ length: 50 }, (_, n) =>
      aCarrier(`c${n}`, ...Array.from({ length: 20 }, (_each, at) => `${'?'.repeat(at + 20)}*`)),
    );
    const startMs = performance.now();
    for (const label of ['9'.repeat(10_000), '91'.repeat(100), '0'.repeat(200), `${'A'.repeat(199)}!`]) proposeCarrier(carriers, label);
    expect(proposeCarrier(carriers, '9'.repeat(201))).toBeNull();
    expect(performance.now() - startMs).toBeLessThan(5000);
  });

  it('agrees with regular expressions on random masks and labels', () => {
    const random = new Random(4711);
    const pick = (characters: string, length: number): string =>
      Array.from({ length }, () => characters[random.between(0, characters.length - 1)]).join('');
    const classes: Record<string, string> = { '#': '[0-9]', '@': '[A-Z]', '?': '[0-9A-Z]' };
    for (let run = 0; run < 3000; run += 1) {
      const [before, number, after] = [
        pick('A1#@?', random.between(0, 2)),
        pick('A1#@?', random.between(1, 3)),
        pick('A1#@?', random.between(0, 1)),
      ];
      const isPart = random.between(0, 1) === 1;
      const rest = !(isPart && after !== '') && random.between(0, 2) === 0 ? '*' : '';
      const mask = isPart ? `${before}[${number}${rest}]${after}` : number + rest;
      expect([mask, maskIssue(mask)]).toEqual([mask, null]);
      const toPattern = (text: string): string => [...text].map((each) => classes[each] ?? each).join('');
      const group = `(${toPattern(number)}${rest && '[0-9A-Z]*'})`;
      const pattern = new RegExp(`^${isPart ? toPattern(before) + group + toPattern(after) : group}$`);
      const label = pick('A1B2', random.between(1, 7));
      expect([mask, label, proposeCarrier([aCarrier('x', mask)], label)?.trackingNumber ?? null]).toEqual([
        mask,
        label,
        pattern.exec(label)?.[1] ?? null,
      ]);
    }
  });
});

it.each(['', '*', '[]', '[*]', 'AB-12', 'A*B', '[A*]B', '[[A]]', '[A', 'A]', '(a+)+$', '^A', 'ä', 'A B'])('"%s" is no mask', (mask) => {
  expect(maskIssue(mask)).toMatch(/^must /);
});
it.each(['1Z*', '019931265099999891[*]', '##', 'ab@?', '9[#]9'])('"%s" is a mask', (mask) => expect(maskIssue(mask)).toBeNull());

it.each([
  'https://t.example/{trackingNumber}',
  'http://t.example?n={trackingNumber}',
  'https://t.example/#/{trackingNumber}/{trackingNumber}',
  'https://t.example:8443/a?b={trackingNumber}&c=1',
])('%s is a template', (template) => expect(templateIssue(template)).toBeNull());
it.each([
  'https://t.example/',
  'https://{trackingNumber}/',
  'https://a.{trackingNumber}.example/',
  'https://t.example{trackingNumber}',
  'javascript:alert({trackingNumber})',
  'ftp://t.example/{trackingNumber}',
  '//t.example/{trackingNumber}',
  'https://user:secret@t.example/{trackingNumber}',
  'https://t.example/{trackingNumber}{other}',
  'https://t.example/ {trackingNumber}',
  'https:///{trackingNumber}',
])('%s is no template', (template) => expect(templateIssue(template)).toMatch(/^must be an http or https URL/));

it('a tracking URL contains the number percent-encoded, and stays on its host', () => {
  const carrier = { trackingUrl: 'https://t.example/t/{trackingNumber}?x={trackingNumber}' };
  expect(trackingUrlOf(carrier, 'A B/../&?#é"$&')).toBe(
    'https://t.example/t/A%20B%2F..%2F%26%3F%23%C3%A9%22%24%26?x=A%20B%2F..%2F%26%3F%23%C3%A9%22%24%26',
  );
  for (const number of ['..', '.', '', '\ud800', 'x'.repeat(1000)]) expect(trackingUrlOf(carrier, number)).toBeNull();
  expect(trackingUrlOf({ trackingUrl: null }, 'A')).toBeNull();
});

it('the carriers are told apart by their texts', () => {
  expect(repeatedCarrierText(DEFAULT_CARRIERS)).toBeNull();
  expect(repeatedCarrierText([aCarrier('UPS'), aCarrier('ups ')])).toEqual({ at: 1, text: 'ups ' });
  expect(findCarrier(DEFAULT_CARRIERS, 'australia post express post')?.name).toBe('Australia Post');
  expect(findCarrier(DEFAULT_CARRIERS, 'Australia')).toBeNull();
});

it('the first carriers are valid', () => {
  for (const { trackingUrl, masks } of DEFAULT_CARRIERS) {
    if (trackingUrl !== null) expect(templateIssue(trackingUrl)).toBeNull();
    expect(masks.map(maskIssue)).toEqual(masks.map(() => null));
  }
});
