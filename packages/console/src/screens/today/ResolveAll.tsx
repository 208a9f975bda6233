import { useMutation } from '@tanstack/react-query';
import { callApiPage, type Schema, studio } from '../../api/studio';
import { Refusal } from '../../api/refusal';
import { useEnvironment } from '../../session/environment';
import { Action } from '../../shared/action';
import { type AttentionCode, attentionWords, NoteInput, resolveAttention, useNoteForm } from '../../shared/attention';
import { ErrorAlert } from '../../shared/feedback';
import { plural } from '../../shared/words';

/** One confirmation resolves at most this many entries. */
const MAX_ENTRIES = 100;

/** Loads the oldest orders with this code when the dialog opens, and resolves it on all of them with one note. Skips entries that have ended. */
export function ResolveAll({ code, orders }: { code: Schema<'OpenAttention'>['code']; orders: number }) {
  const { title } = attentionWords(code);
  const [environment] = useEnvironment();
  const form = useNoteForm();
  const loadOrders = useMutation({
    mutationFn: async () => {
      const query = { environment, code: code as AttentionCode, limit: MAX_ENTRIES };
      const { rows } = await callApiPage(studio.GET('/attention', { params: { query } }));
      return [...new Set(rows.map(({ orderId }) => orderId))];
    },
  });
  const count = loadOrders.data?.length ?? Math.min(orders, MAX_ENTRIES);
  /** Continues after a failure, then reports the first one. A retry has the same orders. */
  const resolveAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const orderId of loadOrders.data ?? []) {
      await resolveAttention(orderId, code, form.values.note).catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.status !== 404) failures.push(error);
      });
    }
    if (failures.length > 0) throw failures[0];
  };
  return (
    <Action
      label={orders > MAX_ENTRIES ? `Resolve ${MAX_ENTRIES}` : 'Resolve all'}
      target={`“${title}”`}
      title={`Resolve “${title}” on ${plural(count, 'order')}`}
      consequences={['The orders leave the list until the problem occurs again.', 'Clients are not notified.']}
      {...form.action}
      onOpen={() => loadOrders.mutate()}
      ready={form.action.ready && loadOrders.isSuccess}
      notReadyReason={form.action.notReadyReason ?? 'Loading the orders'}
      retry="safe"
      toast={() => `Resolved on ${plural(count, 'order')}`}
      run={resolveAll}
      button={{ variant: 'subtle', flex: 'none' }}
    >
      <NoteInput {...form.field('note')} />
      <ErrorAlert error={loadOrders.error} retry={() => loadOrders.mutate()} />
    </Action>
  );
}
