import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../api/studio';
import type { Of } from '../api/types';
import { Action } from './action';
import { wordsOf } from './status';

interface ResolveProps {
  order: Pick<Of<'OpenAttention'>, 'orderId' | 'orderNumber'>;
  code: Of<'OpenAttention'>['code'];
  /** Where an order has one for each kind: then each is told apart by its name. */
  beside?: 'others';
}

/** Takes what needs a person off the list, with a word on what was done about it. For the office. */
export function Resolve({ order: { orderId, orderNumber }, code, beside }: ResolveProps) {
  const [note, setNote] = useState('');
  const words = wordsOf(code).toLowerCase();
  return (
    <Action
      label="Resolve"
      {...(beside === undefined ? {} : { to: words })}
      title={`Resolve: ${words}, order ${orderNumber}`}
      says={[
        `It is taken off the list, with everything else that is open as "${words}" on ${orderNumber}; your note and your name stay in the audit log.`,
        'Nothing else changes, and nobody is told. Should it happen again, it is back.',
      ]}
      onOpen={() => setNote('')}
      ready={note.trim() !== ''}
      done={() => `${orderNumber}: ${words} is seen to`}
      run={() =>
        ask(studio.POST('/orders/{id}/attention/{code}/resolve', { params: { path: { id: orderId, code } }, body: { note: note.trim() } }))
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
