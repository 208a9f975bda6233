import { queryOptions } from '@tanstack/react-query';
import { callApi, type Schema, studio } from './studio';

/** Disabled while `id` is undefined. */
export const accountQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['account', id],
    queryFn: () => callApi(studio.GET('/accounts/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
  });

const INSPECTION_INTERVAL_MS = 3_000;

/** Whether the result is not there yet, or the office has requested a new one. */
export const isInspectionDue = (inspection: Schema<'LineInspection'> | null): boolean =>
  inspection === null || inspection.decoderVersion === 0;

/** By number or id. No live event reports that a picture was inspected, so the order is read again until then. */
export const orderQuery = (named: string) =>
  queryOptions({
    queryKey: ['order', named],
    queryFn: () => callApi(studio.GET('/orders/{id}', { params: { path: { id: named } } })),
    refetchInterval: ({ state: { data } }) =>
      data?.job.lines.some(({ artworkReceived, inspection }) => artworkReceived && isInspectionDue(inspection)) === true &&
      INSPECTION_INTERVAL_MS,
  });

export const invoiceQuery = (number: string) =>
  queryOptions({
    queryKey: ['invoice', number],
    queryFn: () => callApi(studio.GET('/invoices/{id}', { params: { path: { id: number } } })),
  });
