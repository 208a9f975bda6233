interface Invoice {
  invoiceNumber: string;
  dueCents: number;
}
interface Input {
  amount: string;
  currency: string;
  selected: Record<string, string>;
}
// The console has its own build settings, with modules for browsers only.
const { allocate, changeAmount, selectInvoice } = require('../../../packages/console/src/billing/allocation') as {
  allocate: (open: readonly Invoice[], cents: number, selected: object, currency: string, isCredit: boolean) => object;
  changeAmount: (input: Input, amount: string, open: readonly Invoice[]) => Pick<Input, 'amount' | 'selected'>;
  selectInvoice: (input: Input, invoice: Invoice, isSelected: boolean) => Pick<Input, 'amount' | 'selected'>;
};

const [ONE, TWO, THREE] = [
  { invoiceNumber: 'INV-1', dueCents: 7165 },
  { invoiceNumber: 'INV-2', dueCents: 3450 },
  { invoiceNumber: 'INV-3', dueCents: 125_000 },
] as const;
const OPEN = [ONE, TWO, THREE];

describe('the selection of invoices', () => {
  const select = (input: Omit<Input, 'currency'>, invoice: Invoice, isSelected = true) =>
    selectInvoice({ ...input, currency: 'AUD' }, invoice, isSelected);

  it('an empty amount follows the selection', () => {
    const one = select({ amount: '', selected: {} }, ONE);
    expect(one).toEqual({ amount: '71.65', selected: { 'INV-1': '71.65' } });
    const two = select(one, THREE);
    expect(two).toEqual({ amount: '1,321.65', selected: { 'INV-1': '71.65', 'INV-3': '1,250.00' } });
    expect(select(select(two, ONE, false), THREE, false)).toEqual({ amount: '', selected: {} });
  });

  it('a typed amount stays, and is split over the selected invoices', () => {
    const one = select({ amount: '$80', selected: {} }, ONE);
    expect(one).toEqual({ amount: '$80', selected: { 'INV-1': '71.65' } });
    expect(select(one, TWO)).toEqual({ amount: '$80', selected: { 'INV-1': '71.65', 'INV-2': '8.35' } });
  });
});

it.each([
  ['80', { 'INV-1': '1' }, { 'INV-1': '71.65' }],
  ['20', { 'INV-1': '71.65' }, { 'INV-1': '20.00' }],
  ['', { 'INV-1': '71.65' }, { 'INV-1': '71.65' }],
  ['20', { 'INV-1': '71.65', 'INV-2': '34.50' }, { 'INV-1': '71.65', 'INV-2': '34.50' }],
])('the amount “%s” changes the selection %j to %j', (amount, selected, after) => {
  expect(changeAmount({ amount: '', currency: 'AUD', selected }, amount, OPEN)).toEqual({ amount, selected: after });
});

describe('the allocation of a payment', () => {
  it('pays the oldest invoices first if none is selected', () => {
    expect(allocate(OPEN, 8000, {}, 'AUD', false)).toEqual({ shares: { 'INV-1': 7165, 'INV-2': 835 }, creditCents: 0 });
    expect(allocate([ONE], 8000, {}, 'AUD', false)).toEqual({ shares: { 'INV-1': 7165 }, creditCents: 835 });
  });

  it.each([
    [3000, { 'INV-2': '34.51' }, false, 'Enter an amount for INV-2, up to its amount due'],
    [3000, { 'INV-4': '30' }, false, 'A selected invoice is paid now. Close this and start again.'],
    [3000, { 'INV-2': '' }, false, 'Enter an amount for INV-2, up to its amount due'],
    [3000, { 'INV-2': '34.50' }, false, 'The selected invoices add up to more than the amount'],
    [4000, { 'INV-2': '34.50' }, true, 'Reduce the amount or select more invoices'],
    [4000, { 'INV-2': '34.50' }, false, undefined],
  ])('of %d cents over %j (credit: %s) has the problem “%s”', (cents, selected, isCredit, problem) => {
    expect(allocate(OPEN, cents, selected, 'AUD', isCredit)).toMatchObject(problem === undefined ? { creditCents: 550 } : { problem });
  });
});
