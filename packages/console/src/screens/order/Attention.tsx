import { Alert, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../api/studio';
import { useMay } from '../../session/session';
import { Action } from '../../shared/action';
import { begun, countedFromOne } from '../../shared/attention';
import { wordsOf } from '../../shared/status';
import { When } from '../../shared/when';
import { type Order, pathOf } from './order';
import { To } from './To';

type Need = Order['attention'][number];
type Code = Need['code'];

/** What needs a person, above everything else there is to read: each kind once. Of money the floor is not told. */
export function Attention({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const needs = order.attention.filter(({ code }) => mayOffice || code !== 'PAID_BUT_VOID');
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
              <Message words={begun(countedFromOne(message))} />
              <br />
              <Text span size="xs">
                since <When at={since} />
              </Text>
            </Text>
          ))}
        </Stack>
        {mayOffice && <Resolve order={order} code={code} />}
      </Group>
    </Alert>
  );
}

/** Deliveries that a message names are a click away, for those who may look at them. */
function Message({ words }: { words: string }) {
  const mayOffice = useMay('office');
  const [before = '', delivery, after = ''] = words.split(/\b(dlv_[0-9a-f]+)\b/i);
  if (!mayOffice || delivery === undefined) return <>{words}</>;
  return (
    <>
      {before}
      <To to="/deliveries/$delivery" params={{ delivery }} inherit c="inherit">
        {delivery}
      </To>
      {after}
    </>
  );
}

function Resolve({ order, code }: { order: Order; code: Code }) {
  const [note, setNote] = useState('');
  return (
    <Action
      label="Resolve"
      button={{ 'aria-label': `Resolve: ${wordsOf(code).toLowerCase()}` }}
      title={`Resolve: ${wordsOf(code).toLowerCase()}`}
      says={[
        'It is taken off the list of what needs a person; your note and your name stay in the audit log.',
        'Where it happens again, it is back. The client is told nothing.',
      ]}
      onOpen={() => setNote('')}
      ready={note.trim() !== ''}
      done={() => 'Seen to'}
      run={() =>
        ask(
          studio.POST('/orders/{id}/attention/{code}/resolve', {
            params: { path: { ...pathOf(order).path, code } },
            body: { note: note.trim() },
          }),
        )
      }
    >
      <Textarea
        label="What was done about it"
        required
        autosize
        minRows={2}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        data-autofocus
      />
    </Action>
  );
}
