import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi, studio } from '../../api/studio';
import type { Schema } from '../../api/types';
import { Offline } from '../../live/Offline';
import { useOpenDialog } from '../../session/open-dialogs';
import { newSenderId } from '../../shared/action';
import { ErrorAlert } from '../../shared/feedback';
import { trimToUndefined } from '../../shared/form';
import { StaticTable } from '../../shared/list';
import type { OrderRow } from '../../shared/orders';
import { BATCHES, type BatchType, countNotified } from './batches';

type BatchResult = Schema<'MilestoneBatchResult'>;

/** The milestone ids of batches without a known result, by type and order. Sending one again is safe. */
const unresolvedIds = new Map<string, string>();

function milestoneIdOf(type: BatchType, orderId: string): string {
  const id = unresolvedIds.get(`${type} ${orderId}`) ?? newSenderId();
  unresolvedIds.set(`${type} ${orderId}`, id);
  return id;
}

interface BatchDialogProps {
  type: BatchType;
  orders: readonly OrderRow[];
  close: () => void;
  /** Called with the orders that were refused or failed. */
  onResult: (failedIds: readonly string[]) => void;
}

/** Confirms a milestone of many orders, sends it and shows the result of each order. */
export function BatchDialog({ type, orders, close, onResult }: BatchDialogProps) {
  const { label, done } = BATCHES[type];
  const [reason, setReason] = useState('');
  const queries = useQueryClient();
  useOpenDialog(true);
  const send = useMutation({
    mutationFn: () =>
      callApi(
        studio.POST('/milestone-batches', {
          body: {
            type,
            ...(type === 'held' ? { reason: trimToUndefined(reason) } : {}),
            items: orders.map(({ orderId }) => ({ orderId, milestoneId: milestoneIdOf(type, orderId) })),
          },
        }),
      ),
    onSuccess: async (results) => {
      for (const { orderId, outcome } of results) if (outcome !== 'failed') unresolvedIds.delete(`${type} ${orderId}`);
      onResult(results.filter(isFailed).map(({ orderId }) => orderId));
      await Promise.all(['orders', 'order'].map((noun) => queries.invalidateQueries({ queryKey: [noun] })));
    },
  });
  const title = `${label}: ${countOrders(orders.length)}`;
  return (
    <Modal opened onClose={() => send.isPending || close()} title={title} size="lg" closeOnClickOutside={false}>
      {send.data === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!send.isPending) send.mutate();
          }}
        >
          <Stack>
            <Offline />
            <Text size="sm">{`${countOrders(orders.length)}, ${countClients(countNotified(type, orders))} notified.`}</Text>
            {type === 'held' && (
              <Textarea
                label="Reason"
                description="Clients see it on their orders."
                maxLength={500}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            )}
            <ErrorAlert error={send.error} uncertain="It may have been done. Sending again is safe." />
            <Group justify="flex-end">
              <Button variant="default" onClick={close} disabled={send.isPending}>
                Cancel
              </Button>
              <Button type="submit" loading={send.isPending} data-autofocus>
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Stack>
          <Text size="sm" role="status">
            {summarize(send.data, done)}
          </Text>
          <StaticTable
            label="Results"
            rows={send.data.toSorted((a, b) => Number(isFailed(b)) - Number(isFailed(a)))}
            keyOf={({ orderId }) => orderId}
            empty="No orders."
            columns={[
              { heading: 'Order', cell: ({ orderId }) => orders.find((order) => order.orderId === orderId)?.orderNumber ?? orderId },
              { heading: 'Result', wrap: true, cell: (result) => describeResult(result, done) },
            ]}
          />
          <Group justify="flex-end">
            <Button onClick={close}>Close</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

const isFailed = ({ outcome }: BatchResult): boolean => outcome === 'refused' || outcome === 'failed';
const countOrders = (count: number): string => `${count} ${count === 1 ? 'order' : 'orders'}`;
const countClients = (count: number): string => `${count === 0 ? 'no' : count} ${count === 1 ? 'client' : 'clients'}`;

function summarize(results: readonly BatchResult[], done: string): string {
  const failed = results.filter(isFailed).length;
  if (failed === 0) return `${countOrders(results.length)} ${done}.`;
  return `${results.length - failed} of ${countOrders(results.length)} ${done}. The others stay selected.`;
}

function describeResult({ outcome, error }: BatchResult, done: string): React.ReactNode {
  if (outcome === 'applied') return `${done.charAt(0).toUpperCase()}${done.slice(1)}`;
  if (outcome === 'unchanged') return 'No change';
  return (
    <Text span inherit c="var(--mantine-color-error)">
      {outcome === 'failed' ? 'Failed' : 'Refused'}
      {error === undefined ? '' : `: ${error.message}`}
    </Text>
  );
}
