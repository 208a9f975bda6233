import { Group } from '@mantine/core';
import { callApiPage, type Schema, studio } from '../../api/studio';
import { EndpointTable } from '../../endpoints/Endpoint';
import { useEnvironment } from '../../session/environment';
import { useHasRole } from '../../session/session';
import { type AttentionCode, AttentionMessage, ResolveAttention } from '../../shared/attention';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { useKeepSequence } from '../../shared/order-sequence';
import { OrderLink } from '../../shared/orders';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';

const PAGE_SIZE = 10;

type AttentionRow = Schema<'OpenAttention'>;

const ATTENTION_COLUMNS: readonly Column<AttentionRow>[] = [
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Account', wrap: true, cell: ({ accountName }) => accountName },
  { heading: 'Problem', wrap: true, cell: ({ message }) => <AttentionMessage of={message} /> },
  { heading: 'Since', cell: ({ since }) => <Time at={since} /> },
  { heading: 'Action', right: true, cell: (row) => <ResolveAttention order={row} code={row.code} /> },
];

export function AttentionRows({ code }: { code: AttentionRow['code'] }) {
  const [environment] = useEnvironment();
  const isOffice = useHasRole('office');
  const query = { environment, code: code as AttentionCode };
  const list = useList<AttentionRow>(['attention', environment, code], (cursor) =>
    callApiPage(studio.GET('/attention', { params: { query: { ...query, limit: PAGE_SIZE, cursor } } })),
  );
  useKeepSequence(list.data?.pages.flatMap(({ rows }) => rows));
  return (
    <ListTable
      label="Orders that need attention"
      noun="problem"
      list={list}
      columns={ATTENTION_COLUMNS.filter(({ heading }) => isOffice || heading !== 'Action')}
      keyOf={({ orderId, since, message }) => `${orderId} ${since} ${message}`}
      empty="No orders."
      csv={`/studio/v1/attention.csv?${queryOf(query)}`}
      opens
    />
  );
}

export function FailingEndpoints({ failedOrders }: { failedOrders: number }) {
  return (
    <>
      <EndpointTable label="Failing endpoints" empty="No failing endpoints. Open the failed webhooks to resend them." />
      <Group mt="xs" gap="md">
        {failedOrders > 0 && (
          <TextLink to="/board" search={{ attention: 'DELIVERY_FAILED' }} size="sm">
            Orders with undelivered webhooks
          </TextLink>
        )}
        <TextLink to="/deliveries" search={{ state: 'failed' }} size="sm">
          Failed webhooks
        </TextLink>
      </Group>
    </>
  );
}
