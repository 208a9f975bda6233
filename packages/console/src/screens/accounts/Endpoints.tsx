import { Stack } from '@mantine/core';
import { callApiPage, studio } from '../../api/studio';
import { EndpointCard } from '../../endpoints/Endpoint';
import { AddEndpoint } from '../../endpoints/EndpointForms';
import type { EndpointWithHealth } from '../../endpoints/health';
import { useEnvironment } from '../../session/environment';
import { EmptyState, Loaded } from '../../shared/feedback';
import { Panel } from '../../shared/layout';
import { ShowMore, useList } from '../../shared/list';
import type { Account } from './account-form';

export function Endpoints({ account }: { account: Account }) {
  const [environment] = useEnvironment();
  const accountId = account.id;
  const list = useList<EndpointWithHealth>(['endpoints', accountId, environment], (cursor) =>
    callApiPage(studio.GET('/webhook-endpoints', { params: { query: { environment, accountId, cursor } } })),
  );
  return (
    <Panel title={`Webhook endpoints for ${environment} orders`} beside={<AddEndpoint account={account} environment={environment} />}>
      <Loaded query={list} what="Loading the endpoints">
        {({ pages }) => (
          <Stack gap="sm">
            {pages[0]?.rows.length === 0 && <EmptyState>No endpoints for {environment} orders. The client gets no webhooks.</EmptyState>}
            {pages
              .flatMap(({ rows }) => rows)
              .map((endpoint) => (
                <EndpointCard key={endpoint.id} endpoint={endpoint} />
              ))}
            <ShowMore list={list} />
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}
