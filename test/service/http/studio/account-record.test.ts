import { request } from 'undici';
import { anAccount } from '../../../support/accounts';
import { anOrder } from '../../../support/baskets';
import { useFixture, useSharedService } from '../../../support/fixtures';
import { PdfReader } from '../../documents/support';
import { aToken, findAuditEntries, validationPathsOf } from './support';

const ADDRESS = { line1: '4 Wharf Road', line2: null, city: 'Sydney', state: 'NSW', postcode: '2000', country: 'AU' };
const RECORD = {
  billingAddress: ADDRESS,
  abn: '53004085616',
  defaultReference: 'PO-2026',
  contacts: [
    { name: 'Zoe Pratt', role: 'production', email: 'zoe@south.example', phone: null },
    { name: 'Mia Chen', role: 'billing', email: 'mia@south.example', phone: '02 5550 0104' },
  ],
};

describe('the record of an account', () => {
  const service = useSharedService();
  const office = useFixture(async () => service.studio(await aToken(service, 'office')));
  const reader = useFixture(
    async () => new PdfReader(),
    (opened) => opened.close(),
  );
  const change = (accountId: string, body: object) => office.send('PATCH', `/accounts/${accountId}`, body);

  it('has address, ABN, reference and contacts, billing contacts first; each change replaces the list', async () => {
    const created = (await office.post('/accounts', { name: 'South', email: 'south@example.com', ...RECORD })).json.data;
    const expected = { ...RECORD, abn: '53 004 085 616', contacts: RECORD.contacts.toReversed() };
    expect(created).toMatchObject(expected);
    expect((await office.get(`/accounts/${created.id}`)).json.data).toEqual(created);
    expect((await change(created.id, { tradeDiscountBps: 100 })).json.data).toMatchObject(expected);
    const cleared = { billingAddress: null, abn: null, defaultReference: null, contacts: [] };
    expect((await change(created.id, cleared)).json.data).toMatchObject(cleared);
    const entries = await findAuditEntries(service, created.id);
    expect(entries.at(-1)?.after).toMatchObject({ abn: null, billingAddressChanged: true, contactsChanged: true });
    for (const secret of ['Wharf', 'Mia', 'south.example']) expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it.each([
    [{ abn: '53 004 085 617' }, ['abn']],
    [{ billingAddress: { ...ADDRESS, country: 'ZZ' } }, ['billingAddress.country']],
    [{ billingAddress: { ...ADDRESS, postcode: '' } }, ['billingAddress.postcode']],
    [{ contacts: [{ name: 'Mia', role: 'boss', email: 'mia' }] }, ['contacts.0.role', 'contacts.0.email']],
    [{ contacts: Array.from({ length: 21 }, () => RECORD.contacts[0]) }, ['contacts']],
    [{ defaultReference: 'x'.repeat(129) }, ['defaultReference']],
  ])('%j is refused by field', async (body, paths) => {
    expect(validationPathsOf(await change(service.account.accountId, body))).toEqual(paths);
  });

  it('is copied to each invoice at issue: JSON and PDF keep it after a change', async () => {
    const account = await anAccount(service.deps.database);
    const trade = service.trade(account.liveKey);
    await change(account.accountId, { name: 'Harbour Gallery', email: 'accounts@harbour.example', ...RECORD });
    const { orderId } = await anOrder(trade);
    await change(account.accountId, { name: 'Another Name', email: 'other@harbour.example', abn: null, billingAddress: null });
    const buyer = { name: 'Harbour Gallery', email: 'accounts@harbour.example', abn: '53 004 085 616', address: ADDRESS };
    const own = (await trade.get(`/orders/${orderId}/invoice`)).json.data;
    expect(own.buyer).toEqual(buyer);
    expect((await office.get(`/invoices/${own.invoiceNumber}`)).json.data.buyer).toEqual(buyer);
    const url = `http://127.0.0.1:${service.api.tradePort}/v1/orders/${orderId}/invoice.pdf`;
    const pdf = await request(url, { headers: { authorization: `Bearer ${account.liveKey}` } });
    const [page] = await reader.textOf(Buffer.from(await pdf.body.arrayBuffer()));
    expect(page).toContain('Harbour Gallery 4 Wharf Road Sydney NSW 2000 ABN 53 004 085 616 accounts@harbour.example');
  });
});
