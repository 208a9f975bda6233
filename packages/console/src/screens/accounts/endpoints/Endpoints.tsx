import { Group, Stack, Text, Title } from '@mantine/core';
import { page, studio } from '../../../api/studio';
import { Register } from '../../../endpoints/Register';
import { useEnvironment } from '../../../session/environment';
import { useList } from '../../../shared/list';
import { Nothing, Refused, Waiting } from '../../../shared/told';
import type { Account } from '../draft';
import { More } from '../More';
import { Endpoint, type Healthy } from './Endpoint';

/** Where the account's own programs hear of their orders, and how that goes. */
export function Endpoints({ account }: { account: Account }) {
  const [environment] = useEnvironment();
  const accountId = account.id;
  const list = useList<Healthy>(['endpoints', accountId, environment], (cursor) =>
    page(studio.GET('/webhook-endpoints', { params: { query: { environment, accountId, cursor } } })),
  );
  const rows = list.data?.pages.flatMap((each) => each.rows) ?? [];
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Endpoints for {environment} orders
        </Title>
        <Register account={account} environment={environment} />
      </Group>
      <Text size="sm">A program of theirs is told there whatever happens to an order.</Text>
      {list.isPending && <Waiting what="Reading the endpoints" />}
      <Refused error={list.error} retry={() => void list.refetch()} />
      {list.isSuccess && rows.length === 0 && (
        <Nothing>None for {environment} orders: no program of theirs is told of them. “Register an endpoint” makes one.</Nothing>
      )}
      {rows.map((endpoint) => (
        <Endpoint key={endpoint.id} endpoint={endpoint} />
      ))}
      <More list={list} />
    </Stack>
  );
}
