import { useMay } from '../../session/session';
import { Money } from '../../shared/money';
import { wordsOf } from '../../shared/status';
import { When } from '../../shared/when';
import { Named } from './Named';
import type { Order } from './order';
import { Part } from './Part';
import { cancelInWords } from './words';

/** What its status follows from, and whether the client could still cancel. */
export function Facts({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const { facts, baseStatus, currency, orderId, quoteId, erasedAt } = order;
  return (
    <Part title="Facts">
      <Named
        rows={[
          ['Can the client cancel?', cancelInWords(order, mayOffice)],
          ['Printed', facts.printed ? 'yes' : 'no'],
          ['Parcels under way or there', String(facts.liveParcels)],
          ...(facts.liveParcels > 0 ? [['If every parcel came back it would read', wordsOf(baseStatus).toLowerCase()] as const] : []),
          ...(mayOffice ? [['Paid', <Money key="paid" cents={facts.paidCents} currency={currency} />] as const] : []),
          ...(erasedAt === null ? [] : [["The customer's data was erased", <When key="erased" at={erasedAt} />] as const]),
          [
            'Order id',
            <span key="order" className="mono">
              {orderId}
            </span>,
          ],
          ...(quoteId === null
            ? []
            : [
                [
                  'Quote',
                  <span key="quote" className="mono">
                    {quoteId}
                  </span>,
                ] as const,
              ]),
        ]}
      />
    </Part>
  );
}
