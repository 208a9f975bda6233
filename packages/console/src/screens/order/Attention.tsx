import { Alert, Group, Stack, Text } from '@mantine/core';
import { useMay } from '../../session/session';
import { isAboutMoney } from '../../shared/attention';
import { Message } from '../../shared/message';
import { Resolve } from '../../shared/resolve';
import { wordsOf } from '../../shared/status';
import { To } from '../../shared/to';
import { When } from '../../shared/when';
import type { Order } from './order';

type Need = Order['attention'][number];
type Code = Need['code'];

/** What needs a person, above everything else there is to read: each kind once. Of money the floor is not told. */
export function Attention({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const needs = order.attention.filter(({ code }) => mayOffice || !isAboutMoney(code));
  const codes = [...new Set(needs.map(({ code }) => code))];
  return codes.map((code) => <Kind key={code} order={order} code={code} needs={needs.filter((need) => need.code === code)} />);
}

function Kind({ order, code, needs }: { order: Order; code: Code; needs: readonly Need[] }) {
  const mayOffice = useMay('office');
  return (
    <Alert color="yellow" title={wordsOf(code)} role="group">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex={1} miw={200}>
          {needs.map(({ since, message }) => (
            <Text key={`${since} ${message}`} size="sm" className="wraps">
              <Message of={message} />
              <br />
              <Text span size="xs">
                since <When at={since} />
              </Text>
            </Text>
          ))}
          {code === 'PAID_BUT_VOID' && <PaidBack accountId={order.accountId} />}
        </Stack>
        {mayOffice && <Resolve order={order} code={code} beside="others" />}
      </Group>
    </Alert>
  );
}

/** What ends it, which is not seen from the order. */
function PaidBack({ accountId }: { accountId: string }) {
  return (
    <Text size="sm">
      It is credit of the account now:{' '}
      <To to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'payments' }} underline="always" c="inherit">
        pay it back, or use it for other invoices
      </To>
      , then resolve this.
    </Text>
  );
}
