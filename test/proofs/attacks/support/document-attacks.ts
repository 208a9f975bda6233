import { aLine, anOrder, uploadArtwork } from '../../../support/baskets';
import { bearer, statuses, type Attack, type World } from './world';

/** Crashes the renderer of documents. */
const UNPRINTABLE = '\u06ed\u0965'.repeat(14);
let unprintableOrderId = '';

const get = (world: World, target: string) => ({
  url: `${world.stack.studioUrl}${target}`,
  options: { headers: bearer(world.stack.studioToken) },
});

export const DOCUMENT_ATTACKS: readonly Attack[] = [
  {
    name: 'documents of a reference that crashes the renderer',
    async prepare(world) {
      const imageUrl = await uploadArtwork(world.trade());
      const items = Array.from({ length: 50 }, () => aLine(imageUrl, { externalReference: UNPRINTABLE }));
      ({ orderId: unprintableOrderId } = await anOrder(world.trade(), { items }));
    },
    async run(world) {
      const invoice = await world.deps.database.row<{ id: string }>('SELECT id FROM invoices WHERE order_id = $1', [unprintableOrderId]);
      const order = `/orders/${unprintableOrderId}`;
      const targets = [`${order}/job-sheet.pdf`, `${order}/packing-slip.pdf`, `/invoices/${invoice?.id}.pdf`];
      return statuses(targets.map((target) => get(world, target)));
    },
    expected: '3 × 200',
  },
  {
    name: 'CSV export of tracking numbers full of tabs',
    async prepare(world) {
      const { orderId } = await anOrder(world.trade());
      // A release before the check of control characters stored such texts.
      await world.deps.database.run(
        `INSERT INTO parcels (order_id, id, position, tracking_number, created_at)
         SELECT $1, 'tabs-' || number, number, repeat(E'\\t', 94) || number, now() FROM generate_series(1, 200) AS number`,
        [orderId],
      );
    },
    run: (world) => statuses([get(world, '/orders.csv?environment=test')]),
    expected: '1 × 200',
  },
];
