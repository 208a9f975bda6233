import { formatCents } from '../../../../src/domain/money';
import { orderWorkflowId } from '../../../../workflows/messages';
import { useFixture, useSharedService } from '../../../support/fixtures';
import { aKey } from '../../../support/accounts';
import { aLine, uploadArtwork } from '../../../support/baskets';
import { waitFor } from '../../../support/wait-for';
import { startedOrder } from '../support';
import { aToken, findAuditEntries, findEventTypes, validationPathsOf, OrderFactory, sendMilestone } from './support';

const PARCEL = {
  parcelId: 'box-1',
  trackingNumber: 'AP-1',
  carrier: 'AusPost',
  trackingUrl: 'https://track.example/AP-1',
  shippedAt: '2026-03-01T09:00:00+11:00',
};

describe('parcels and payments', () => {
  const service = useSharedService();
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor')));
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Books' })));
  const orders = useFixture(() => new OrderFactory(service));
  /** An order of one line with two pieces. */
  let pairs: OrderFactory;
  beforeAll(async () => {
    const picture = await uploadArtwork(
      service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' })),
    );
    pairs = new OrderFactory(service, 'live', { items: [aLine(picture, { quantity: 2 })] });
  });

  const addParcel = (orderId: string, fields: Record<string, unknown> = {}) =>
    floor.post(`/orders/${orderId}/parcels`, { ...PARCEL, ...fields });
  const voidParcel = (orderId: string, parcelId = 'box-1') => floor.send('DELETE', `/orders/${orderId}/parcels/${parcelId}`);
  const pay = (orderId: string, fields: Record<string, unknown> = {}) =>
    office.post(`/orders/${orderId}/payments`, { paymentId: 'p-1', amountCents: 1000, ...fields });
  const reverse = (orderId: string, paymentId = 'p-1') =>
    office.post(`/orders/${orderId}/payments/${paymentId}/reverse`, { reason: 'bounced' });
  const signalRefused = (orderId: string) =>
    waitFor('the refused signal', () =>
      service.deps.database.exists(`SELECT 1 FROM order_attention WHERE order_id = $1 AND code = 'SIGNAL_REFUSED' AND cleared_at IS NULL`, [
        orderId,
      ]),
    );
  const readOutstanding = async () => (await office.get(`/accounts/${service.account.accountId}`)).json.data.live.outstandingCents;

  describe('Errors', () => {
    it('voiding a parcel or reversing a payment that is unknown, or has an impossible id, is 404', async () => {
      const { orderId } = await orders.place();
      for (const id of ['box-9', '%00', 'x'.repeat(101)]) {
        expect((await voidParcel(orderId, id)).json.error?.code).toBe('NOT_FOUND');
        expect((await reverse(orderId, id)).json.error?.code).toBe('NOT_FOUND');
      }
    });
    it('the same parcel or payment id with another content is 409 MILESTONE_ID_REUSED', async () => {
      const { orderId } = await orders.place();
      await addParcel(orderId);
      await pay(orderId);
      const again = [await addParcel(orderId, { trackingNumber: 'AP-2' }), await pay(orderId, { amountCents: 999 })];
      expect(again.map(({ status, json }) => [status, json.error?.code])).toEqual([
        [409, 'MILESTONE_ID_REUSED'],
        [409, 'MILESTONE_ID_REUSED'],
      ]);
    });
    it('paying more than is open, or for a cancelled order, is 409 MILESTONE_REFUSED with the reason', async () => {
      const { orderId, totalCents } = await orders.place();
      expect((await pay(orderId, { amountCents: totalCents + 1 })).json.error).toMatchObject({
        code: 'MILESTONE_REFUSED',
        message: expect.stringContaining(`but only ${formatCents(totalCents)} of the invoice is open`),
      });
      await sendMilestone(floor, orderId, 'cancelled');
      expect((await pay(orderId)).json.error).toMatchObject({
        code: 'MILESTONE_REFUSED',
        message: expect.stringContaining('invoice is void'),
      });
    });
    it('more pieces than ordered, or of an unknown line, is 409 MILESTONE_REFUSED with the available number', async () => {
      const { orderId } = await pairs.place();
      const addParcelError = async (parcelId: string, lines: unknown) => (await addParcel(orderId, { parcelId, lines })).json.error;
      expect(await addParcelError('box-1', [{ line: 0, quantity: 3 }])).toMatchObject({
        code: 'MILESTONE_REFUSED',
        message: expect.stringContaining('quantity 3 is too large for line 0 (the 1st): ordered 2, in other parcels 0'),
      });
      expect(await addParcelError('box-1', [{ line: 1, quantity: 1 }])).toMatchObject({
        code: 'MILESTONE_REFUSED',
        message: expect.stringContaining('the order has 1 line; there is no line 1 (the 2nd)'),
      });
      await addParcel(orderId, { lines: [{ line: 0, quantity: 1 }] });
      expect((await addParcelError('box-2', [{ line: 0, quantity: 2 }]))?.message).toContain('in other parcels 1');
      expect((await floor.get(`/orders/${orderId}`)).json.data.parcels).toHaveLength(1);
    });
    it('a floor token cannot record money: 403 names office', async () => {
      const reply = await floor.post('/orders/ord_00/payments', { paymentId: 'p', amountCents: 1 });
      expect(reply.json.error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('role office') });
    });
    it("the account's cancel names every fact that prevents it", async () => {
      const { orderId } = await orders.place();
      await addParcel(orderId);
      await sendMilestone(floor, orderId, 'printed');
      const shown = (await pay(orderId)).json.data;
      expect(shown.cancellable).toEqual({ now: false, blockers: ['shipped', 'printed', 'money'] });
      const reply = await service
        .trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' }))
        .post(`/orders/${orderId}/cancel`);
      expect([reply.status, reply.json.error?.code]).toEqual([409, 'ORDER_NOT_CANCELLABLE']);
      for (const fact of ['(shipped)', '(printed)', '(money)']) expect(reply.json.error?.message).toContain(fact);
    });
  });

  describe('Success', () => {
    it('a parcel makes the order shipped with its tracking, a second one sends an event too, and voiding both restores the base status', async () => {
      const { orderId } = await orders.place();
      await sendMilestone(floor, orderId, 'production_started');
      const first = await addParcel(orderId);
      expect(first.json.data).toMatchObject({
        status: 'shipped',
        baseStatus: 'in_production',
        facts: { liveParcels: 1 },
        shipments: [
          { carrier: 'AusPost', trackingNumber: 'AP-1', trackingUrl: 'https://track.example/AP-1', shippedAt: '2026-02-28T22:00:00.000Z' },
        ],
      });
      await addParcel(orderId, { parcelId: 'box 2/2', trackingNumber: 'AP-2', carrier: null, trackingUrl: null, shippedAt: null });
      expect((await voidParcel(orderId)).json.data.status).toBe('shipped');
      const back = await voidParcel(orderId, encodeURIComponent('box 2/2'));
      expect(back.json.data).toMatchObject({ status: 'in_production', shipments: [], facts: { liveParcels: 0 } });
      expect(back.json.data.parcels).toEqual([
        expect.objectContaining({ parcelId: 'box-1', voidedAt: expect.any(String) }),
        expect.objectContaining({ parcelId: 'box 2/2', carrier: null, voidedAt: expect.any(String) }),
      ]);
      expect(await findEventTypes(service, orderId)).toEqual([
        'order.received',
        'order.in_production',
        'order.shipped',
        'order.shipped',
        'order.in_production',
      ]);
    });
    it('a parcel shows its pieces to the studio, to the client and in its event, and voiding it releases them', async () => {
      const { orderId } = await pairs.place();
      const lines = [{ line: 0, quantity: 2 }];
      const whole = await addParcel(orderId, { lines });
      expect(whole.json.data).toMatchObject({ parcels: [{ parcelId: 'box-1', lines }], shipments: [{ trackingNumber: 'AP-1', lines }] });
      expect((await addParcel(orderId, { lines })).status).toBe(200);
      expect((await addParcel(orderId, { lines: [{ line: 0, quantity: 1 }] })).json.error?.code).toBe('MILESTONE_ID_REUSED');
      const event = await service.deps.database.row<{ body: string }>(
        `SELECT body FROM order_events WHERE order_id = $1 AND type = 'order.shipped'`,
        [orderId],
      );
      expect(JSON.parse(event?.body ?? '').data.shipments[0].lines).toEqual(lines);
      await voidParcel(orderId);
      const again = await addParcel(orderId, { parcelId: 'box-2', lines });
      await addParcel(orderId, { parcelId: 'box-3', lines: null });
      expect(again.status).toBe(200);
      expect((await floor.get(`/orders/${orderId}`)).json.data.shipments.map((parcel: any) => parcel.lines)).toEqual([lines, null]);
    });
    it('repeated adding and voiding are 200 with the current order, and adding after voiding is refused', async () => {
      const { orderId } = await orders.place();
      await addParcel(orderId);
      expect((await addParcel(orderId)).json.data.status).toBe('shipped');
      await voidParcel(orderId);
      expect((await voidParcel(orderId)).json.data.status).toBe('received');
      expect((await addParcel(orderId)).json.error).toMatchObject({
        code: 'MILESTONE_REFUSED',
        message: expect.stringContaining('send a new parcel id'),
      });
      expect(await findEventTypes(service, orderId)).toEqual(['order.received', 'order.shipped', 'order.received']);
      expect((await findAuditEntries(service, orderId)).map(({ action }) => action)).toEqual(['parcel.add', 'parcel.void']);
    });
    it("payments reduce the account's debt until the invoice is paid, and a reversal raises it again", async () => {
      const before = await readOutstanding();
      const { orderId, totalCents } = await orders.place();
      expect(await readOutstanding()).toBe(before + totalCents);
      const part = await pay(orderId, { reference: 'EFT 17', receivedAt: '2026-03-02T00:00:00Z' });
      expect(part.json.data).toMatchObject({
        facts: { paidCents: 1000 },
        invoice: { amountCents: totalCents, paidCents: 1000, state: 'part_paid' },
      });
      const whole = await pay(orderId, { paymentId: 'p-2', amountCents: totalCents - 1000 });
      expect(whole.json.data.invoice).toMatchObject({ paidCents: totalCents, state: 'paid' });
      expect(await readOutstanding()).toBe(before);
      const reversed = await reverse(orderId);
      expect(reversed.json.data).toMatchObject({ facts: { paidCents: totalCents - 1000 }, invoice: { state: 'part_paid' } });
      expect(reversed.json.data.payments).toMatchObject([
        {
          paymentId: 'p-1',
          amountCents: 1000,
          reference: 'EFT 17',
          receivedAt: '2026-03-02T00:00:00.000Z',
          reversedAt: expect.any(String),
        },
        { paymentId: 'p-2', reversedAt: null },
      ]);
      expect(await readOutstanding()).toBe(before + 1000);
    });
    it('repeated recording and reversing are 200 with the current order, and recording after a reversal is refused, also by signal', async () => {
      const { orderId } = await orders.place();
      await pay(orderId);
      expect((await pay(orderId)).json.data.facts.paidCents).toBe(1000);
      await reverse(orderId);
      expect((await reverse(orderId)).json.data.facts.paidCents).toBe(0);
      const reason = 'this payment was reversed; send a new payment id';
      expect((await pay(orderId)).json.error).toMatchObject({ code: 'MILESTONE_REFUSED', message: expect.stringContaining(reason) });
      await service.deps.temporal.client.workflow
        .getHandle(orderWorkflowId(orderId))
        .signal('milestone', { type: 'payment_recorded', paymentId: 'p-1', amountCents: 1000 });
      await signalRefused(orderId);
      expect((await office.get(`/orders/${orderId}`)).json.data.timeline.at(-1)).toMatchObject({
        type: 'payment_recorded',
        outcome: 'refused',
        reason,
      });
      expect((await findAuditEntries(service, orderId)).map(({ actor, action, after }) => [actor, action, after.amountCents])).toEqual([
        ['Books', 'payment.record', 1000],
        ['Books', 'payment.reverse', undefined],
      ]);
    });
    it('a payment is a repeat at the same instant, and with an empty or no reference', async () => {
      const { orderId } = await orders.place();
      const first = await pay(orderId, { receivedAt: '2026-03-02T10:00:00+10:00', reference: '' });
      for (const same of [{ receivedAt: '2026-03-02T00:00:00.000Z' }, { receivedAt: '2026-03-01T19:00:00-05:00', reference: null }])
        expect((await pay(orderId, same)).json.data).toMatchObject({
          payments: first.json.data.payments,
          timeline: first.json.data.timeline,
        });
      expect((await pay(orderId, { receivedAt: '2026-03-02T10:00:00Z' })).json.error?.code).toBe('MILESTONE_ID_REUSED');
    });
    it('a test order is owed only in the test environment', async () => {
      const before = await readOutstanding();
      await new OrderFactory(service, 'test').place();
      expect(await readOutstanding()).toBe(before);
    });
  });

  describe('Credit notes', () => {
    const NOTE = { creditNoteId: 'complaint-17', amountCents: 1000, reason: 'scratched frame' };
    const issueCreditNote = (invoice: string, fields: Record<string, unknown> = {}) =>
      office.post(`/invoices/${invoice}/credit-notes`, { ...NOTE, ...fields });
    const invoiceNumber = async (orderId: string): Promise<string> =>
      (await office.get(`/orders/${orderId}`)).json.data.invoice.invoiceNumber;

    it('credit an invoice once per id, up to its amount less earlier notes', async () => {
      const { orderId, totalCents } = await orders.place();
      const before = await readOutstanding();
      const first = await issueCreditNote(await invoiceNumber(orderId));
      expect(first.json.data).toMatchObject({
        amountCents: totalCents,
        creditedCents: 1000,
        dueCents: totalCents - 1000,
        state: 'part_paid',
        creditNotes: [
          {
            id: expect.stringMatching(/^crn_/),
            creditNoteNumber: expect.stringMatching(/^CN-1\d{4}$/),
            ...NOTE,
          },
        ],
      });
      const { invoiceId } = first.json.data;
      expect((await issueCreditNote(invoiceId)).json.data).toEqual(first.json.data);
      expect((await issueCreditNote(invoiceId, { amountCents: 999 })).json.error?.code).toBe('MILESTONE_ID_REUSED');
      expect((await issueCreditNote(invoiceId, { reason: 'another' })).json.error?.code).toBe('MILESTONE_ID_REUSED');
      expect((await issueCreditNote(invoiceId, { creditNoteId: 'rest', amountCents: totalCents - 999 })).json.error).toMatchObject({
        code: 'MILESTONE_REFUSED',
        message: expect.stringContaining(`only ${formatCents(totalCents - 1000)} of the invoice can be credited`),
      });
      const whole = await issueCreditNote(invoiceId, { creditNoteId: 'rest', amountCents: totalCents - 1000 });
      expect(whole.json.data).toMatchObject({ state: 'credited', dueCents: 0 });
      expect(whole.json.data.creditNotes.reduce((sum: number, { gstCents }: { gstCents: number }) => sum + gstCents, 0)).toBe(
        whole.json.data.gstCents,
      );
      expect(await readOutstanding()).toBe(before - totalCents);
      expect((await findAuditEntries(service, orderId)).map((entry) => [entry.actor, entry.action, entry.after.reason])).toEqual([
        ['Books', 'credit-note.write', 'scratched frame'],
        ['Books', 'credit-note.write', 'scratched frame'],
      ]);
    });

    it('above the unpaid amount become credit of the account, as does a paid order that the studio cancels, and a reversal removes it', async () => {
      const readBalances = async () => (await office.get(`/accounts/${service.account.accountId}`)).json.data.live;
      const before = await readBalances();
      const { orderId, totalCents } = await orders.place();
      await pay(orderId, { amountCents: totalCents });
      await issueCreditNote(await invoiceNumber(orderId));
      expect(await readBalances()).toEqual({ ...before, creditCents: before.creditCents + 1000 });
      expect((await pay(orderId, { paymentId: 'p-2', amountCents: 1 })).json.error?.message).toContain('only 0.00 of the invoice is open');
      await sendMilestone(floor, orderId, 'cancelled');
      expect(await readBalances()).toEqual({ ...before, creditCents: before.creditCents + totalCents });
      const invoice = (await office.get(`/invoices/${await invoiceNumber(orderId)}`)).json.data;
      expect(invoice).toMatchObject({
        state: 'void',
        dueCents: 0,
        creditNotes: [
          { creditNoteId: 'complaint-17' },
          { creditNoteId: 'cancel', amountCents: totalCents - 1000, reason: 'order cancelled' },
        ],
      });
      expect((await issueCreditNote(invoice.invoiceId, { creditNoteId: 'late' })).json.error?.message).toContain('its invoice is void');
      const back = { refundId: `${orderId}/back`, environment: 'live', amountCents: before.creditCents + totalCents };
      expect((await office.post(`/accounts/${service.account.accountId}/refunds`, back)).status).toBe(200);
      expect((await reverse(orderId)).status).toBe(200);
      expect(await readBalances()).toEqual({ ...before, creditCents: -totalCents });
      await office.post(`/accounts/${service.account.accountId}/refunds/${encodeURIComponent(back.refundId)}/reverse`, {
        reversalId: 'closed',
        reason: 'account closed',
      });
      expect(await readBalances()).toEqual(before);
    });

    describe('reversed', () => {
      const BACK = { reversalId: 'complaint-17/back', reason: 'it was another order' };
      const reverseNote = (orderId: string, fields: Record<string, unknown> = {}, creditNoteId = NOTE.creditNoteId) =>
        office.post(`/orders/${orderId}/credit-notes/${creditNoteId}/reverse`, { ...BACK, ...fields });

      it('raise the invoice again, once per id, with both in the timeline, the statement and the audit log', async () => {
        const { orderId, totalCents } = await orders.place();
        const number = await invoiceNumber(orderId);
        const before = await readOutstanding();
        const action = async () =>
          (await office.get(`/orders/${orderId}`)).json.data.actions.find(({ type }: { type: string }) => type === 'credit_note_reversed');
        expect(await action()).toMatchObject({ allowed: false, reason: 'there is no credit note to reverse on this order' });
        const { creditNoteNumber } = (await issueCreditNote(number)).json.data.creditNotes[0];
        expect(await action()).toMatchObject({ allowed: true, reason: null, eventType: null });
        const first = await reverseNote(orderId);
        expect(first.json.data.invoice).toMatchObject({ amountCents: totalCents, creditedCents: 0, state: 'open' });
        expect(first.json.data.timeline.at(-1)).toMatchObject({ type: 'credit_note_reversed', outcome: 'applied', reason: BACK.reason });
        expect((await reverseNote(orderId)).json.data.timeline).toEqual(first.json.data.timeline);
        expect(await readOutstanding()).toBe(before);
        expect((await office.get(`/invoices/${number}`)).json.data).toMatchObject({
          dueCents: totalCents,
          creditNotes: [{ ...NOTE, reversedAt: expect.any(String), reversalReason: BACK.reason }],
        });
        expect((await reverseNote(orderId, { reason: 'another' })).json.error?.code).toBe('MILESTONE_ID_REUSED');
        expect((await reverseNote(orderId, { reversalId: 'again' })).json.error).toMatchObject({
          code: 'MILESTONE_REFUSED',
          message: expect.stringContaining('was already reversed'),
        });
        expect((await issueCreditNote(number)).json.error).toMatchObject({
          code: 'MILESTONE_REFUSED',
          message: expect.stringContaining('send a new credit note id'),
        });
        const { entries } = (await office.get(`/accounts/${service.account.accountId}/statement?from=2020-01-01`)).json.data;
        expect(entries.slice(-2)).toMatchObject([
          { type: 'credit_note', amountCents: -1000, creditNoteNumber, reference: NOTE.reason },
          { type: 'reversal', amountCents: 1000, outstandingCents: 1000, creditNoteNumber, paymentId: null, reference: BACK.reason },
        ]);
        expect((await findAuditEntries(service, orderId)).map((entry) => [entry.actor, entry.action, entry.after.reason])).toEqual([
          ['Books', 'credit-note.write', NOTE.reason],
          ['Books', 'credit-note.reverse', BACK.reason],
        ]);
        expect(await findEventTypes(service, orderId)).toEqual(['order.received']);
      });

      it('are refused if the credit was used, on a cancelled order, for an unknown note, and to roles below office', async () => {
        const { orderId, totalCents } = await orders.place();
        const { accountId } = service.account;
        await pay(orderId, { amountCents: totalCents });
        await issueCreditNote(await invoiceNumber(orderId));
        const { creditCents } = (await office.get(`/accounts/${accountId}`)).json.data.live;
        const refund = { refundId: `${orderId}/back`, environment: 'live', amountCents: creditCents };
        await office.post(`/accounts/${accountId}/refunds`, refund);
        const used = await reverseNote(orderId);
        expect([used.status, used.json.error?.code]).toEqual([409, 'CREDIT_INSUFFICIENT']);
        expect((await floor.post(`/orders/${orderId}/credit-notes/${NOTE.creditNoteId}/reverse`, BACK)).status).toBe(403);
        for (const id of ['cancel', 'nothing', '%00']) expect((await reverseNote(orderId, {}, id)).status).toBe(404);
        expect(validationPathsOf(await reverseNote(orderId, { reversalId: '', reason: undefined }))).toEqual(['reversalId', 'reason']);
        await sendMilestone(floor, orderId, 'cancelled');
        for (const id of ['cancel', NOTE.creditNoteId])
          expect((await reverseNote(orderId, {}, id)).json.error).toMatchObject({
            code: 'MILESTONE_REFUSED',
            message: expect.stringContaining('its credit notes cannot be reversed'),
          });
        await office.post(`/accounts/${accountId}/refunds/${encodeURIComponent(refund.refundId)}/reverse`, BACK);
        const run = service.deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId));
        await run.signal('milestone', { ...BACK, type: 'credit_note_reversed', creditNoteId: NOTE.creditNoteId });
        await signalRefused(orderId);
      });
    });

    it('do not prevent a cancel, send no event and change nothing that the client sees', async () => {
      const trade = service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' }));
      const { orderId } = await orders.place();
      const seen = (await trade.get(`/orders/${orderId}`)).json.data;
      await issueCreditNote(await invoiceNumber(orderId));
      const { updatedAt: _changed, ...told } = (await trade.get(`/orders/${orderId}`)).json.data;
      expect(seen).toMatchObject(told);
      expect(await findEventTypes(service, orderId)).toEqual(['order.received']);
      expect((await trade.post(`/orders/${orderId}/cancel`)).json.data.status).toBe('cancelled');
    });

    it('require the office role: the floor, direct workflow messages and invalid bodies are refused', async () => {
      const { orderId } = await orders.place();
      const number = await invoiceNumber(orderId);
      expect((await floor.post(`/invoices/${number}/credit-notes`, NOTE)).status).toBe(403);
      expect((await issueCreditNote('INV-1')).status).toBe(404);
      expect(validationPathsOf(await issueCreditNote(number, { creditNoteId: '..' }))).toEqual(['creditNoteId']);
      expect(validationPathsOf(await issueCreditNote(number, { creditNoteId: 'cancel', amountCents: 0, reason: '' }))).toEqual([
        'creditNoteId',
        'amountCents',
        'reason',
      ]);
      const run = await startedOrder(service, orderId);
      const forged = { ...NOTE, type: 'credit_noted' };
      await expect(run.executeUpdate('applyMessage', { args: [forged] })).rejects.toMatchObject({ cause: { type: 'VALIDATION_ERROR' } });
      await run.signal('milestone', forged);
      await signalRefused(orderId);
      expect((await office.get(`/invoices/${number}`)).json.data).toMatchObject({ creditedCents: 0, creditNotes: [] });
    });
  });
});
