import { Text, Textarea } from '@mantine/core';
import { callApi, type Schema, studio } from '../../api/studio';
import { Action, ActionButtons, type ActionHandle, newIdempotencyId, trimToUndefined, useActionForm } from '../../shared/action';
import { StaticTable } from '../../shared/list';
import type { OrderRow } from '../../shared/orders';
import { capitalize, plural } from '../../shared/words';
import { ACTIONS } from '../order/studio-order';
import { BATCHES, type BatchType, countNotified } from './batches';

const MAX_NAMED = 20;

type OrderResult = Schema<'MilestoneBatchResult'>;

/** The milestone ids of batches without a known result, by type and order. Sending the same id again changes nothing. */
const unresolvedIds = new Map<string, string>();

function reuseOrCreateMilestoneId(type: BatchType, orderId: string): string {
  const id = unresolvedIds.get(`${type} ${orderId}`) ?? newIdempotencyId();
  unresolvedIds.set(`${type} ${orderId}`, id);
  return id;
}

/** Rows can move under the pointer when new orders arrive, so the dialog names those that were selected. */
function numbersOf(orders: readonly OrderRow[]): string {
  const named = orders.slice(0, MAX_NAMED).map(({ orderNumber }) => orderNumber);
  const others = orders.length - named.length;
  return `${named.join(', ')}${others > 0 ? ` and ${plural(others, 'other')}` : ''}`;
}

/** The selected orders and the milestone to record on each. */
export interface Batch {
  type: BatchType;
  orders: readonly OrderRow[];
}

interface BatchDialogProps extends Batch {
  ref: React.Ref<ActionHandle>;
  /** Called with the orders that have the milestone now. */
  onResult: (doneIds: readonly string[]) => void;
}

/** Asks to confirm one milestone for many orders, sends it and shows the result of each order. */
export function BatchDialog({ ref, type, orders, onResult }: BatchDialogProps) {
  const { label } = ACTIONS[type];
  const { done } = BATCHES[type];
  const form = useActionForm(
    () => ({ reason: '' }),
    () => ({}),
  );
  const count = plural(orders.length, 'order');
  const notified = countNotified(type, orders);
  const send = async (): Promise<OrderResult[]> => {
    const items = orders.map(({ orderId }) => ({ orderId, milestoneId: reuseOrCreateMilestoneId(type, orderId) }));
    const body = { type, reason: trimToUndefined(form.values.reason), items };
    const results = await callApi(studio.POST('/milestone-batches', { body }));
    for (const { orderId, outcome } of results) if (outcome !== 'failed') unresolvedIds.delete(`${type} ${orderId}`);
    onResult(results.filter((result) => !isNotDone(result)).map(({ orderId }) => orderId));
    return results;
  };
  return (
    <ActionButtons shown={false}>
      <Action
        ref={ref}
        label={label}
        title={`${label}: ${count}`}
        consequences={[`${count}, ${notified === 0 ? 'no clients' : plural(notified, 'client')} notified.`, numbersOf(orders)]}
        run={send}
        retry="safe"
        {...form.action}
        toast={(results) => summarize(results, done)}
        result={(results) => (
          <>
            <Text size="sm" role="status">
              {summarize(results, done)}
            </Text>
            <StaticTable
              label="Results"
              rows={results.toSorted((a, b) => Number(isNotDone(b)) - Number(isNotDone(a)))}
              keyOf={({ orderId }) => orderId}
              empty="No orders."
              columns={[
                { heading: 'Order', cell: ({ orderId }) => orders.find((order) => order.orderId === orderId)?.orderNumber ?? orderId },
                { heading: 'Result', wrap: true, cell: (result) => describeResult(result, done) },
              ]}
            />
          </>
        )}
      >
        {type === 'held' && (
          <Textarea label="Reason" description="Clients see it on their orders." maxLength={500} data-autofocus {...form.field('reason')} />
        )}
      </Action>
    </ActionButtons>
  );
}

const isNotDone = ({ outcome }: OrderResult): boolean => outcome === 'refused' || outcome === 'failed';

function summarize(results: readonly OrderResult[], done: string): string {
  const countOf = (...outcomes: readonly OrderResult['outcome'][]): number =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const [unchanged, failed] = [countOf('unchanged'), countOf('refused', 'failed')];
  return [
    `${plural(countOf('applied'), 'order')} ${done}`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(failed > 0 ? [`${failed} not ${done} and still selected`] : []),
  ].join(', ');
}

function describeResult({ outcome, error }: OrderResult, done: string): React.ReactNode {
  if (outcome === 'applied') return capitalize(done);
  if (outcome === 'unchanged') return 'No change';
  return (
    <Text span inherit c="var(--mantine-color-error)">
      {outcome === 'failed' ? 'Failed' : 'Refused'}
      {error === undefined ? '' : `: ${error.message}`}
    </Text>
  );
}
