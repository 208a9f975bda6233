import { Alert, Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../api/studio';
import { useMay } from '../../session/session';
import { Action } from '../../shared/action';
import { wordsOf } from '../../shared/status';
import { When } from '../../shared/when';
import { type Order, pathOf } from './order';

type Need = Order['attention'][number];

/** What needs a person, above everything else there is to read. Of money the floor is not told. */
export function Attention({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const needs = order.attention.filter(({ code }) => mayOffice || code !== 'PAID_BUT_VOID');
  return needs.map((need) => (
    <Alert key={`${need.code} ${need.since}`} color="yellow" title={wordsOf(need.code)} role="group" aria-label={wordsOf(need.code)}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text size="sm" flex={1} miw={200}>
          {need.message}
        </Text>
        {mayOffice && <Resolve order={order} need={need} />}
      </Group>
      <Text size="xs" mt={4}>
        Since <When at={need.since} />
      </Text>
    </Alert>
  ));
}

function Resolve({ order, need: { code } }: { order: Order; need: Need }) {
  const [note, setNote] = useState('');
  return (
    <Action
      label="Resolve"
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
