import { Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { callApi, callApiPage, studio } from '../../api/studio';
import { Refusal } from '../../api/refusal';
import type { Schema } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { Action } from '../../shared/action';
import { ErrorAlert } from '../../shared/feedback';
import { useActionForm } from '../../shared/form';
import { plural } from '../../shared/terms';
import type { AttentionCode } from './counts';

/** The entries that one confirmation resolves. */
const MAX_ENTRIES = 100;

/** Resolves a code with one note on the oldest orders that have it when the dialog opens. An entry that has ended meanwhile is skipped. */
export function ResolveAll({ code, title, orders }: { code: Schema<'OpenAttention'>['code']; title: string; orders: number }) {
  const [environment] = useEnvironment();
  const form = useActionForm(
    () => ({ note: '' }),
    (values) => ({ note: values.note.trim() === '' && 'Enter what was done' }),
  );
  const note = form.values.note.trim();
  const loading = useMutation({
    mutationFn: async () => {
      const query = { environment, code: code as AttentionCode, limit: MAX_ENTRIES };
      const { rows } = await callApiPage(studio.GET('/attention', { params: { query } }));
      return [...new Set(rows.map(({ orderId }) => orderId))];
    },
  });
  const count = loading.data?.length ?? Math.min(orders, MAX_ENTRIES);
  const resolve = async (orderId: string): Promise<unknown> => {
    try {
      const path = { id: orderId, code: code as AttentionCode };
      await callApi(studio.POST('/orders/{id}/attention/{code}/resolve', { params: { path }, body: { note } }));
      return null;
    } catch (error) {
      return error instanceof Refusal && error.status === 404 ? null : error;
    }
  };
  /** Goes on after a failure, and then reports the first one. A retry has the same orders. */
  const resolveAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const orderId of loading.data ?? []) failures.push(await resolve(orderId));
    const failure = failures.find((error) => error !== null);
    if (failure !== undefined) throw failure;
  };
  return (
    <Action
      label={orders > MAX_ENTRIES ? `Resolve ${MAX_ENTRIES}` : 'Resolve all'}
      target={title}
      title={`Resolve “${title}” on ${plural(count, 'order')}`}
      consequences={['Clients are not notified.', 'The audit log keeps your note for each order.']}
      onOpen={() => {
        form.action.onOpen();
        loading.mutate();
      }}
      ready={form.action.ready && loading.isSuccess}
      notReady={form.action.notReady ?? 'Loading the orders'}
      repeats="safely"
      done={() => `Resolved on ${plural(count, 'order')}`}
      run={resolveAll}
      button={{ variant: 'subtle', flex: 'none' }}
    >
      <Textarea label="What was done" required maxLength={2000} data-autofocus {...form.field('note')} />
      <ErrorAlert error={loading.error} retry={() => loading.mutate()} />
    </Action>
  );
}
