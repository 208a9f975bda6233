import { page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { type Column, ListTable, useList } from '../../shared/list';
import { Money, standingInWords, usedInPercent } from '../../shared/money';
import { AccountLink } from '../../shared/orders';
import { Part } from './Part';

type Row = Of<'Account'>;
const ROWS_OF_A_PAGE = 10;
const PERCENT = 90;

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'Account', cell: ({ id, name }) => <AccountLink id={id} name={name} /> },
  { heading: 'Used', cell: ({ creditLimitCents, live: { usedBps } }) => (creditLimitCents === 0 ? 'No credit' : usedInWords(usedBps)) },
  { heading: 'Owes', right: true, cell: ({ live, currency }) => <Money cents={live.outstandingCents} currency={currency} /> },
  { heading: 'Limit', right: true, cell: ({ creditLimitCents, currency }) => <Money cents={creditLimitCents} currency={currency} /> },
  { heading: 'May still order', right: true, cell: ({ live, currency }) => <Money cents={live.availableCents} currency={currency} /> },
];

export function Credit() {
  const list = useList<Row>(['accounts', 'used-up'], (cursor) =>
    page(
      studio.GET('/accounts', {
        params: {
          query: { creditUsedOver: PERCENT, sort: 'creditUsed', limit: ROWS_OF_A_PAGE, cursor },
        },
      }),
    ),
  );
  return (
    <Part title={`Credit over ${PERCENT} %`} about="Their next order may be refused until they pay or have a higher limit. Of live orders.">
      <ListTable
        label={`Accounts over ${PERCENT} % of their credit`}
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={`No account uses more than ${PERCENT} % of its credit.`}
      />
    </Part>
  );
}

function usedInWords(usedBps: number | null): string {
  return usedBps === null ? '–' : `${usedInPercent(usedBps)}${standingInWords(usedBps)}`;
}
