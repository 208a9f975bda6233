import { queryOptions } from '@tanstack/react-query';
import { callApi, studio } from './studio';

/** Disabled while `id` is undefined. */
export const accountQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['account', id],
    queryFn: () => callApi(studio.GET('/accounts/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
  });

const INSPECTION_INTERVAL_MS = 3_000;

/** By number or id. No live event reports that a picture was inspected, so the order is read again until then. */
export const orderQuery = (named: string) =>
  queryOptions({
    queryKey: ['order', named],
    queryFn: () => callApi(studio.GET('/orders/{id}', { params: { path: { id: named } } })),
    refetchInterval: ({ state: { data } }) =>
      data?.job.lines.some(({ artworkReceived, inspection }) => artworkReceived && inspection === null) === true && INSPECTION_INTERVAL_MS,
  });

export const invoiceQuery = (number: string) =>
  queryOptions({
    queryKey: ['invoice', number],
    queryFn: () => callApi(studio.GET('/invoices/{id}', { params: { path: { id: number } } })),
  });
