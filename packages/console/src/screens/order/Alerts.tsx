import { Alert, Group, List, Stack, Text } from '@mantine/core';
import { useMay } from '../../session/session';
import { AttentionMessage, isForOffice, ResolveAttention } from '../../shared/attention';
import { ownValue } from '../../shared/own-value';
import { statusLabel } from '../../shared/status';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';
import { reasonInWords } from '../../shared/words';
import type { Order } from './order';

export function SpecialInstructions({ order: { job } }: { order: Order }) {
  const text = job.specialInstructions?.trim() ?? '';
  if (text === '') return null;
  return (
    <Alert color="yellow" role="note" aria-label="Special instructions" p="xs" className="wraps">
      <b>Special instructions:</b> <span style={{ whiteSpace: 'pre-line' }}>{text}</span>
    </Alert>
  );
}

/** The issues that the client sees on the order. */
export function Issues({ order: { issues } }: { order: Order }) {
  if (issues.length === 0) return null;
  return (
    <Alert color="indigo" title="The client sees" role="group" p="xs">
      <List size="sm">
        {issues.map(({ code, message }) => (
          <List.Item key={`${code} ${message}`} className="wraps">
            <b>{statusLabel(code)}</b>: {reasonInWords(message)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

type OpenAttention = Order['attention'][number];
type Code = OpenAttention['code'];

/** Open attention by code. The floor does not see money. */
export function Attention({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const visible = order.attention.filter(({ code }) => mayOffice || !isForOffice(code));
  const codes = [...new Set(visible.map(({ code }) => code))];
  return codes.map((code) => (
    <AttentionAlert key={code} order={order} code={code} attention={visible.filter((each) => each.code === code)} />
  ));
}

function AttentionAlert({ order, code, attention }: { order: Order; code: Code; attention: readonly OpenAttention[] }) {
  const mayOffice = useMay('office');
  return (
    <Alert color="yellow" title={statusLabel(code)} role="group" p="xs">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex={1} miw={200}>
          {attention.map(({ since, message }) => (
            <Text key={`${since} ${message}`} size="sm" className="wraps">
              <AttentionMessage of={message} /> · <Time at={since} />
            </Text>
          ))}
          <Remedy order={order} code={code} />
        </Stack>
        {mayOffice && <ResolveAttention order={order} code={code} beside="others" />}
      </Group>
    </Alert>
  );
}

const REMEDIES: Readonly<Record<string, string>> = {
  PAYMENT_REPEATED: 'If both are the same bank line, reverse one payment. Otherwise resolve this.',
  ARTWORK_REJECTED: 'Ends when the client replaces the artwork or you undo the rejection.',
};

function Remedy({ order: { accountId }, code }: { order: Order; code: Code }) {
  const text = ownValue(REMEDIES, code);
  if (text !== undefined) return <Text size="sm">{text}</Text>;
  if (code !== 'PAID_BUT_VOID') return null;
  return (
    <Text size="sm">
      The payment is credit now.{' '}
      <TextLink to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'payments' }} underline="always" c="inherit">
        Refund it or use it for other invoices
      </TextLink>
      , then resolve this.
    </Text>
  );
}
