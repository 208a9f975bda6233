import { Checkbox, Group, TextInput } from '@mantine/core';
import { useId } from 'react';
import { type BodyOf, callApi, callApiPage, studio } from '../../../api/studio';
import { useSession } from '../../../session/session';
import { Action, trimToUndefined, useActionForm } from '../../../shared/action';
import { rememberCarrier, useParcelLabel } from '../../../shared/carriers';
import { DuplicateWarning, useDuplicateCheck } from '../../../shared/duplicate-check';
import { ErrorAlert } from '../../../shared/feedback';
import { DateTimeInput } from '../../../shared/inputs';
import { parseLocalTime } from '../../../shared/local-time';
import { isOrderNumber } from '../../../shared/order-number';
import { piecesLeft } from '../../../shared/progress';
import { scanRefusal } from '../scan-refusal';
import { actionOf, ACTIONS, type Order, type OrderActionProps, pathOf } from '../studio-order';
import { notificationText } from '../words';
import { clientCancelConsequences } from './consequences';
import { PieceInputs, piecesOf } from './Pieces';

export function AddParcel({ order, ref }: OrderActionProps) {
  const { timeZone } = useSession();
  const carriersId = useId();
  const left = piecesLeft(order.lines, order.shipments);
  const isAnyLeft = left.some((count) => count > 0);
  const hasUnknownContents = order.parcels.some(({ lines: contents }) => contents === null);
  const form = useActionForm(
    () => ({
      trackingNumber: '',
      /** Null proposes the carrier of the label. */
      carrier: null as string | null,
      trackingUrl: '',
      shippedTime: '',
      hasContents: isAnyLeft && !hasUnknownContents,
      counts: left as (number | string)[],
    }),
    ({ trackingNumber, hasContents, counts }) => ({
      trackingNumber: trackingNumber.trim() === '' && 'Enter the tracking number',
      counts: hasContents && piecesOf(counts).length === 0 && 'Enter at least one piece',
    }),
  );
  const { carrier, trackingUrl, shippedTime, hasContents, counts } = form.values;
  const lines = hasContents ? piecesOf(counts) : undefined;
  const isTypedOrderNumber = isOrderNumber(form.values.trackingNumber.trim());
  const label = useParcelLabel(form.values.trackingNumber, carrier);
  const { trackingNumber } = label;
  const duplicate = useTrackingNumberCheck(order, trackingNumber);
  const send = (parcelId: string) => {
    duplicate.setConfirmed(true);
    const body = {
      parcelId,
      trackingNumber,
      carrier: label.carrier,
      trackingUrl: trimToUndefined(trackingUrl) ?? label.trackingUrl,
      shippedAt: parseLocalTime(shippedTime, timeZone) ?? undefined,
      lines,
    };
    return sendParcel(order, body).then((changed) => {
      rememberCarrier(label.carrier);
      return changed;
    });
  };
  return (
    <Action
      ref={ref}
      label={ACTIONS.parcel_added.label}
      scanConfirms={scanRefusal(order, 'parcel_added') === null}
      title={`Add parcel: ${order.orderNumber}`}
      consequences={[
        order.facts.liveParcels === 0 ? 'The order becomes shipped, or partly shipped.' : 'The order already has a parcel.',
        ...clientCancelConsequences(order),
        notificationText(actionOf(order, 'parcel_added').eventType, order),
      ]}
      subject={order.orderId}
      run={send}
      find={async (parcelId) =>
        (await callApi(studio.GET('/orders/{id}', { params: pathOf(order) }))).parcels.some((parcel) => parcel.parcelId === parcelId)
      }
      {...form.action}
      onOpen={duplicate.reset}
      ready={form.action.ready && !isTypedOrderNumber && label.isReady && duplicate.isReady}
      labels={{ trackingNumber: 'Tracking number' }}
      toast={({ orderNumber }) => `Parcel of ${orderNumber} added`}
    >
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput
          label="Tracking number"
          required
          maxLength={200}
          data-autofocus
          data-scan="label"
          {...form.field('trackingNumber')}
          error={isTypedOrderNumber && 'This is an order number. Enter the number on the carrier’s label.'}
        />
        <TextInput
          label="Carrier"
          placeholder="Australia Post"
          maxLength={100}
          list={carriersId}
          {...form.field('carrier')}
          value={carrier ?? label.carrier ?? ''}
        />
        <datalist id={carriersId}>
          {label.texts.map((text) => (
            <option key={text}>{text}</option>
          ))}
        </datalist>
      </Group>
      <TrackingWarning order={order} check={duplicate} />
      <ErrorAlert error={label.loadError} retry={label.retry} />
      <TextInput label="Tracking URL" placeholder={label.trackingUrl ?? 'https://…'} type="url" {...form.field('trackingUrl')} />
      <DateTimeInput label="Shipped" daysAhead={1} {...form.field('shippedTime')} />
      <Checkbox
        label="Record contents"
        description={isAnyLeft ? 'The packing slip then lists these pieces.' : 'Every piece is in a parcel already.'}
        disabled={!isAnyLeft}
        {...form.getInputProps('hasContents', { type: 'checkbox' })}
      />
      {hasContents && <PieceInputs legend="Contents" lines={order.job.lines} remaining={left} inputProps={form.getInputProps} />}
    </Action>
  );
}

export const sendParcel = (order: Order, body: BodyOf<'addParcel'>) =>
  callApi(studio.POST('/orders/{id}/parcels', { params: pathOf(order), body }));

export const voidParcel = (id: string, parcelId: string) =>
  callApi(studio.DELETE('/orders/{id}/parcels/{parcelId}', { params: { path: { id, parcelId } } }));

/** Searches for other parcels with this tracking number. */
export const useTrackingNumberCheck = ({ environment }: Order, trackingNumber: string) =>
  useDuplicateCheck({
    noun: 'tracking',
    values: trackingNumber === '' || isOrderNumber(trackingNumber) ? null : trackingNumber,
    find: async () => {
      const query = { environment, q: trackingNumber, limit: 100 };
      const { rows } = await callApiPage(studio.GET('/orders', { params: { query } }));
      const isSame = (other: string): boolean => other.toLowerCase() === trackingNumber.toLowerCase();
      return rows
        .filter(({ shipments }) => shipments.some((parcel) => isSame(parcel.trackingNumber)))
        .map(({ orderNumber }) => orderNumber);
    },
  });

export function TrackingWarning({ order, check }: { order: Order; check: ReturnType<typeof useTrackingNumberCheck> }) {
  const orderNumbers = check.duplicates.map((number) => (number === order.orderNumber ? 'this order' : number));
  return (
    <DuplicateWarning title="Possible duplicate" label="The number is correct" check={check}>
      A parcel of {orderNumbers.join(' and of ')} already has this tracking number.
    </DuplicateWarning>
  );
}
