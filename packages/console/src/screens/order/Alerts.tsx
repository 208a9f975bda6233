import { Alert, Group, List, Stack, Text } from '@mantine/core';
import { useHasRole } from '../../session/session';
import { AttentionMessage, attentionWords, isForOffice, ResolveAttention } from '../../shared/attention';
import { Time } from '../../shared/time';
import { reasonInWords } from '../../shared/words';
import type { Order } from './studio-order';

export function SpecialInstructions({ order: { job }, fz = 'sm' }: { order: Order; fz?: 'sm' | 'lg' }) {
  const text = job.specialInstructions?.trim() ?? '';
  if (text === '') return null;
  return (
    <Alert color="yellow" role="note" aria-label="Special instructions" p="xs" className="wraps">
      <Text fz={fz} style={{ whiteSpace: 'pre-line' }}>
        <b>Special instructions:</b> {text}
      </Text>
    </Alert>
  );
}

/** The issues that the client sees on the order. */
export function Issues({ order: { issues } }: { order: Order }) {
  if (issues.length === 0) return null;
  return (
    <Alert color="indigo" title="Shown to the client" role="group" p="xs">
      <List size="sm">
        {issues.map(({ code, message }) => (
          <List.Item key={`${code} ${message}`} className="wraps">
            <b>{attentionWords(code).title}</b>: {reasonInWords(message)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The order's open problems, one alert for each code. The floor does not see money. */
export function Attention({ order: { attention, ...order } }: { order: Order }) {
  const isOffice = useHasRole('office');
  const codes = [...new Set(attention.map(({ code }) => code))].filter((code) => isOffice || !isForOffice(code));
  return codes.map((code) => (
    <Alert key={code} color="yellow" title={attentionWords(code).title} role="group" p="xs">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex={1} miw={200}>
          {attention
            .filter((each) => each.code === code)
            .map(({ since, message }) => (
              <Text key={`${since} ${message}`} size="sm" className="wraps">
                <AttentionMessage of={message} /> · <Time at={since} />
              </Text>
            ))}
          <Text size="sm">{attentionWords(code).advice}</Text>
        </Stack>
        {isOffice && <ResolveAttention order={order} code={code} />}
      </Group>
    </Alert>
  ));
}
