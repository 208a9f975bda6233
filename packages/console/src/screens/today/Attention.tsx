import { Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { page, studio } from '../../api/studio';
import type { Known, Of } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { useMay } from '../../session/session';
import { ATTENTION_CODES, isAboutMoney, Message, Resolve } from '../../shared/attention';
import { ChoiceFilter } from '../../shared/inputs';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { OrderLink } from '../../shared/orders';
import { wordsOf } from '../../shared/status';
import { When } from '../../shared/when';
import { Part } from './Part';

type Row = Of<'OpenAttention'>;
type Code = Known<Row['code']>;
const ROWS_OF_A_PAGE = 10;

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'Since', cell: ({ since }) => <When at={since} /> },
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Account', cell: ({ accountName }) => accountName },
  { heading: 'What', cell: ({ code }) => <strong>{wordsOf(code)}</strong> },
  { heading: 'In words', cell: ({ message }) => <Message of={message} /> },
];
const OFFICE: readonly Column<Row>[] = [
  ...COLUMNS,
  { heading: 'Seen to', right: true, cell: (row) => <Resolve order={row} code={row.code} /> },
];

/** What needs a person, the longest open first. The address has what it is narrowed to, so that it can be sent. */
export function Attention() {
  const [environment] = useEnvironment();
  const mayOffice = useMay('office');
  const navigate = useNavigate();
  const code = useSearch({ strict: false }).code as Code | undefined;
  const about = mayOffice ? undefined : ('work' as const);
  const asked = { environment, ...(code !== undefined && { code }), ...(about !== undefined && { about }) } as const;
  const list = useList<Row>(
    ['attention', environment, code, about],
    (cursor) => page(studio.GET('/attention', { params: { query: { ...asked, limit: ROWS_OF_A_PAGE, cursor } } })),
    { keepsRows: true },
  );
  return (
    <Part
      title="Needs a person"
      about="The longest open first. It is here until it is resolved, or until it is no longer so."
      beside={<Narrowed code={code} choose={(chosen) => void navigate({ to: '/', search: { code: chosen }, replace: true })} />}
    >
      <ListTable
        label="Needs a person"
        list={list}
        columns={mayOffice ? OFFICE : COLUMNS}
        keyOf={({ orderId, code: of, since, message }) => `${orderId} ${of} ${since} ${message}`}
        empty={<Next code={code} />}
        csv={`/studio/v1/attention.csv?${queryOf(asked)}`}
        open={({ orderNumber }) => void navigate({ to: `/orders/${orderNumber}` })}
      />
    </Part>
  );
}

function Narrowed({ code, choose }: { code: Code | undefined; choose: (code: string | undefined) => void }) {
  const mayOffice = useMay('office');
  const codes = ATTENTION_CODES.filter((each) => mayOffice || !isAboutMoney(each));
  return (
    <ChoiceFilter
      size="xs"
      aria-label="Only because of"
      value={code}
      set={choose}
      data={[{ value: '', label: 'Because of anything' }, ...codes.map((each) => ({ value: each, label: wordsOf(each) }))]}
    />
  );
}

function Next({ code }: { code: string | undefined }) {
  if (code !== undefined) return <>Nothing is open as “{wordsOf(code).toLowerCase()}”.</>;
  return (
    <Text span fw={600}>
      Nothing needs a person.
    </Text>
  );
}
