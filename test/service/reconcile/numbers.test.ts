import { reconcile, type ReconcileResult } from '../../../src/reconcile';
import { useFixture, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { OrderFactory, sendMilestone } from '../http/studio/support';

interface NumberedOrder {
  orderId: string;
  orderNumber: string;
}

/** The tests delete rows that a restored backup would lack. test/proofs/faults/restore-drill restores a real backup. */
describe('reconciling numbers', () => {
  const service = useService();
  const studio = useFixture(() => service.studio());
  const orders = useFixture(() => new OrderFactory(service, 'test'));

  const runReconcile = (dryRun: boolean, ...issuedNumbers: string[]): Promise<ReconcileResult> =>
    reconcile(service.deps, { dryRun, restored: false, issuedNumbers });
  const summarizeFindings = ({ findings }: ReconcileResult) =>
    findings.map(({ kind, subject, repaired }) => [kind, subject, repaired]).sort();
  /** Waits until Temporal lists the runs that have started and ended, which it does with a delay. */
  const untilNothingToRepair = () =>
    waitFor('no findings', async () => {
      const { findings, issuedTwice } = await runReconcile(true);
      return findings.length + issuedTwice.length === 0;
    });

  async function remakeOrder({ orderId }: NumberedOrder, remakeId: string): Promise<NumberedOrder> {
    const reply = await studio.post(`/orders/${orderId}/remakes`, { remakeId, lines: [{ line: 0, quantity: 1 }], reason: 'scratched' });
    expect([reply.status, reply.json.error]).toEqual([201, null]);
    return reply.json.data;
  }
  const untilListed = (...wanted: NumberedOrder[]) =>
    waitFor('Temporal lists them with their numbers', async () => {
      const numbers = new Set<string | null>();
      for await (const { orderNumber } of service.deps.temporal.runs.listOrderRuns()) numbers.add(orderNumber);
      return wanted.every(({ orderNumber }) => numbers.has(orderNumber));
    });
  async function deleteOrder({ orderId }: NumberedOrder): Promise<void> {
    for (const table of ['order_search', 'order_timeline', 'order_artwork', 'remakes'])
      await service.deps.database.run(`DELETE FROM ${table} WHERE order_id = $1`, [orderId]);
    await service.deps.database.run('DELETE FROM orders WHERE id = $1', [orderId]);
  }

  it('finds no problem with remade orders, open or settled', async () => {
    const original: NumberedOrder = await orders.place();
    const [open, settled] = [await remakeOrder(original, 'first'), await remakeOrder(original, 'second')];
    for (const type of ['production_started', 'printed', 'completed'])
      expect((await sendMilestone(studio, settled.orderId, type)).status).toBe(200);
    await untilListed(original, open, settled);
    expect(await untilNothingToRepair()).toBe(true);
    expect(await runReconcile(false)).toEqual({ findings: [], issuedTwice: [] });
  });

  it('a lost remake keeps its number, and the next one gets a higher number', async () => {
    const original: NumberedOrder = await orders.place();
    const [first, second] = [await remakeOrder(original, 'first'), await remakeOrder(original, 'second')];
    await untilListed(original, first, second);
    await deleteOrder(first);
    await deleteOrder(second);
    const expectedFindings = (isRepaired: boolean) => [
      ['numbers behind', original.orderId, isRepaired],
      ...[first.orderId, second.orderId].sort().map((orderId) => ['run without an order', orderId, isRepaired]),
    ];
    const dry = await runReconcile(true);
    expect(summarizeFindings(dry)).toEqual(expectedFindings(false));
    expect(dry.findings[0]?.detail).toBe(
      `the next remake would be ${original.orderNumber}-R1, but numbers up to ${original.orderNumber}-R2 were issued`,
    );
    expect(summarizeFindings(await runReconcile(false))).toEqual(expectedFindings(true));
    expect(await untilNothingToRepair()).toBe(true);
    expect((await remakeOrder(original, 'first')).orderNumber).toBe(`${original.orderNumber}-R3`);
  });

  it('skips a given number of a remake, and an order can still be remade as often as any', async () => {
    const original: NumberedOrder = await orders.place();
    await runReconcile(false, `${original.orderNumber}-R60`);
    expect((await remakeOrder(original, 'first')).orderNumber).toBe(`${original.orderNumber}-R61`);
    expect((await remakeOrder(original, 'second')).orderNumber).toBe(`${original.orderNumber}-R62`);
    await runReconcile(false, `${original.orderNumber}-R61`);
    expect((await remakeOrder(original, 'third')).orderNumber).toBe(`${original.orderNumber}-R63`);
  });

  describe('of credit notes', () => {
    let original: NumberedOrder;
    let notes = 0;
    beforeAll(async () => void (original = await orders.place()));

    async function issueNextCreditNote(): Promise<number> {
      notes += 1;
      const note = { creditNoteId: `note-${notes}`, amountCents: 1, reason: 'a scratch' };
      const { invoiceNumber } = (await studio.get(`/orders/${original.orderId}`)).json.data.invoice;
      const reply = await studio.post(`/invoices/${invoiceNumber}/credit-notes`, note);
      expect([reply.status, reply.json.error]).toEqual([200, null]);
      const written: { creditNoteNumber: string }[] = reply.json.data.creditNotes;
      return Math.max(...written.map(({ creditNoteNumber }) => Number(creditNoteNumber.slice('TCN-'.length))));
    }

    it('after a restore skips all numbers that lost notes can have, in both environments, once per request', async () => {
      const last = await issueNextCreditNote();
      const told = await reconcile(service.deps, { dryRun: true, restored: true, issuedNumbers: [] });
      expect(told.findings).toEqual([
        expect.objectContaining({ subject: 'credit_note_numbers_live', repaired: false }),
        {
          kind: 'numbers behind',
          subject: 'credit_note_numbers_test',
          detail: `is at ${last}, but 1000 numbers up to ${last + 1000} are skipped, because lost credit notes may have used them before the restore`,
          repaired: false,
        },
      ]);
      await reconcile(service.deps, { dryRun: false, restored: true, issuedNumbers: [] });
      expect(summarizeFindings(await runReconcile(true))).toEqual([]);
      expect(await issueNextCreditNote()).toBe(last + 1001);
    });

    it('skips them without a request if lost orders show a restore', async () => {
      const lost: NumberedOrder = await orders.place();
      await untilListed(lost);
      const last = await issueNextCreditNote();
      await service.deps.database.run(`SELECT setval('order_numbers_test', $1)`, [Number(original.orderNumber.slice('T-'.length))]);
      await service.deps.database.run(`UPDATE orders SET order_number = 'T-1' WHERE id = $1`, [lost.orderId]);
      expect(summarizeFindings(await runReconcile(false))).toEqual(
        expect.arrayContaining([
          ['numbers behind', 'order_numbers_test', true],
          ['numbers behind', 'credit_note_numbers_test', true],
        ]),
      );
      expect(await issueNextCreditNote()).toBe(last + 1001);
    });

    it('skips a given number, of notes and of invoices', async () => {
      expect(summarizeFindings(await runReconcile(false, 'TCN-20000', 'TINV-20000', 'CN-20000'))).toEqual([
        ['numbers behind', 'credit_note_numbers_live', true],
        ['numbers behind', 'credit_note_numbers_test', true],
        ['numbers behind', 'invoice_numbers_test', true],
        ['numbers behind', 'order_numbers_test', true],
      ]);
      expect(await issueNextCreditNote()).toBe(20_001);
      expect((await studio.get(`/orders/${(await orders.place()).orderId}`)).json.data.invoice.invoiceNumber).toBe('TINV-20001');
    });
  });
});
