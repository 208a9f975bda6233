import { queryOptions } from '@tanstack/react-query';
import { ask, studio } from './studio';

/** Of no account while `id` is undefined. */
export const accountQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['account', id],
    queryFn: () => ask(studio.GET('/accounts/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
  });

/** By the order's number or its id. */
export const orderQuery = (named: string) =>
  queryOptions({
    queryKey: ['order', named],
    queryFn: () => ask(studio.GET('/orders/{id}', { params: { path: { id: named } } })),
  });

export const invoiceQuery = (number: string) =>
  queryOptions({
    queryKey: ['invoice', number],
    queryFn: () => ask(studio.GET('/invoices/{id}', { params: { path: { id: number } } })),
  });
