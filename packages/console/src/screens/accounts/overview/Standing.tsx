import { Group, Text } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import { Action } from '../../../shared/action';
import type { Account } from '../draft';

type Part = Partial<Pick<Account, 'status' | 'apiAccess'>>;

const changed = (account: Account, body: Part) => ask(studio.PATCH('/accounts/{id}', { params: { path: { id: account.id } }, body }));

/** Whether it may order at all. Each action has its key, so that one's dialog is not the other's. */
export function Standing({ account }: { account: Account }) {
  if (account.status === 'suspended')
    return (
      <Line words="Suspended: new orders are refused, those that run go on.">
        <Action
          key="activate"
          label="Activate"
          title={`Activate ${account.name}`}
          says={['The client can order again at once, with the keys it has. It is not told.']}
          repeats="safely"
          run={() => changed(account, { status: 'active' })}
          done={({ name }) => `${name} is active`}
        />
      </Line>
    );
  return (
    <Line words="Active: it may order.">
      <Action
        key="suspend"
        label="Suspend"
        title={`Suspend ${account.name}`}
        danger
        says={[
          'All its keys are refused from now on: no prices, no new orders, no look at orders, no cancelling.',
          'Orders that run go on: they are made, shipped and billed, and its webhooks still tell of them.',
          'The client is not told. “Activate” takes it back.',
        ]}
        repeats="safely"
        run={() => changed(account, { status: 'suspended' })}
        done={({ name }) => `${name} is suspended`}
      />
    </Line>
  );
}

/** Whether its own programs may ask. */
export function ApiAccess({ account }: { account: Account }) {
  if (!account.apiAccess)
    return (
      <Line words="No API access: its keys are refused.">
        <Action
          key="give"
          label="Give API access"
          says={[`The keys of ${account.name} work again at once. The client is not told.`]}
          repeats="safely"
          run={() => changed(account, { apiAccess: true })}
          done={({ name }) => `${name} has API access`}
        />
      </Line>
    );
  return (
    <Line words="API access: its keys work.">
      <Action
        key="withdraw"
        label="Withdraw API access"
        danger
        says={[
          `Every key of ${account.name} is refused from now on, and none has to be revoked.`,
          'Orders that run go on, and its webhooks still tell of them. The client is not told.',
        ]}
        repeats="safely"
        run={() => changed(account, { apiAccess: false })}
        done={({ name }) => `${name} has no API access`}
      />
    </Line>
  );
}

function Line({ words, children }: { words: string; children: React.ReactNode }) {
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm">{words}</Text>
      {children}
    </Group>
  );
}
