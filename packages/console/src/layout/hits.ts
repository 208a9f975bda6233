import { useQueries, useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { invoiceQuery } from '../api/reads';
import { callApiPage, type Environment, studio } from '../api/studio';
import { sectionQuery } from '../screens/catalogue/rows';
import { type Section, SECTIONS } from '../screens/catalogue/sections';
import { useEnvironment } from '../session/environment';
import { useHasRole } from '../session/session';
import { countPieces, type OrderRow } from '../shared/orders';
import { displayStatus } from '../shared/progress';
import { plural, statusLabel } from '../shared/words';

/** A record that the palette has found. */
export interface Hit {
  key: string;
  kind: 'Orders' | 'Accounts' | 'Invoices' | 'Webhooks' | 'Catalogue';
  label: string;
  description?: string;
  link: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

const MAX_HITS = 6;
const MIN_LENGTH = 2;
const MATERIALS = Object.keys(SECTIONS) as Section[];
const INVOICE_NUMBER = /^T?INV-\d{1,15}$/i;
const CREDIT_NOTE_NUMBER = /^T?CN-\d{1,15}$/i;
/** Numbers of test records begin with a T. */
const NUMBER = /^(T?)(P|T|INV|CN)-\d/i;

/** Searches orders, accounts, invoices, credit notes, materials and ids. */
export function useHits(text: string): { hits: Hit[]; isPending: boolean } {
  const [chosen] = useEnvironment();
  const isOffice = useHasRole('office');
  const isSearch = text.length >= MIN_LENGTH;
  const environment = environmentOf(text) ?? chosen;
  const orders = useQuery({
    queryKey: ['orders', 'search', environment, text],
    queryFn: async () => (await callApiPage(studio.GET('/orders', { params: { query: { environment, q: text, limit: MAX_HITS } } }))).rows,
    enabled: isSearch,
  });
  const accounts = useQuery({
    queryKey: ['accounts', 'search', text],
    queryFn: async () => (await callApiPage(studio.GET('/accounts', { params: { query: { q: text, limit: MAX_HITS } } }))).rows,
    enabled: isSearch && isOffice,
  });
  const invoice = useQuery({ ...invoiceQuery(text.toUpperCase()), enabled: isOffice && INVOICE_NUMBER.test(text) });
  const materials = useQueries({
    queries: MATERIALS.map((section) => ({ ...sectionQuery(section), enabled: isSearch && isOffice, staleTime: 60_000 })),
  });
  if (!isSearch) return { hits: [], isPending: false };
  const words = text.toLowerCase().split(/\s+/);
  const hits: Hit[] = [
    ...idHits(text),
    ...(invoice.data === undefined ? [] : [invoiceHit(invoice.data)]),
    // An invoice number finds its order too; the invoice is the better hit.
    ...(INVOICE_NUMBER.test(text) && invoice.data !== undefined ? [] : (orders.data ?? []).map((order) => orderHit(order, text))),
    ...(accounts.data ?? []).map(({ id, name, email }): Hit => ({
      key: id,
      kind: 'Accounts',
      label: name,
      description: email,
      link: { to: '/accounts/$account', params: { account: id } },
    })),
    ...MATERIALS.flatMap((section, index) =>
      (materials[index]?.data ?? []).map((row): Hit => {
        const name = String(row.name ?? row.label ?? row.id);
        const description = `${SECTIONS[section].title}${row.withdrawn === true ? ' · withdrawn' : ''}`;
        return {
          key: `${section} ${name}`,
          kind: 'Catalogue',
          label: name,
          description,
          link: { to: '/catalogue', search: { section, q: name } },
        };
      }),
    )
      .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
      .slice(0, MAX_HITS),
  ];
  return { hits, isPending: orders.isLoading || accounts.isLoading || invoice.isLoading || materials.some(({ isLoading }) => isLoading) };
}

function environmentOf(text: string): Environment | null {
  const [, test, kind] = NUMBER.exec(text) ?? [];
  if (kind === undefined) return null;
  return test !== '' || kind.toUpperCase() === 'T' ? 'test' : 'live';
}

/** An order, or its credit note if the text is the number of one. */
function orderHit(order: OrderRow, text: string): Hit {
  const { orderId, orderNumber, accountName } = order;
  const link = { to: '/orders/$order', params: { order: orderNumber } } as const;
  if (CREDIT_NOTE_NUMBER.test(text))
    return { key: orderId, kind: 'Orders', label: text.toUpperCase(), description: `Credit note of ${orderNumber}, ${accountName}`, link };
  const description = `${statusLabel(displayStatus(order))} · ${accountName} · ${plural(countPieces(order), 'piece')}`;
  return { key: orderId, kind: 'Orders', label: orderNumber, description, link };
}

function invoiceHit({ invoiceNumber, state }: { invoiceNumber: string; state: string }): Hit {
  return {
    key: invoiceNumber,
    kind: 'Invoices',
    label: invoiceNumber,
    description: statusLabel(state),
    link: { to: '/invoices/$invoice', params: { invoice: invoiceNumber } },
  };
}

/** Ids are opened without a search. */
function idHits(text: string): Hit[] {
  if (/^ord_[0-9a-f]{32}$/.test(text))
    return [{ key: text, kind: 'Orders', label: text, link: { to: '/orders/$order', params: { order: text } } }];
  if (/^acc_[0-9a-f]{32}$/.test(text))
    return [{ key: text, kind: 'Accounts', label: text, link: { to: '/accounts/$account', params: { account: text } } }];
  if (/^dlv_[0-9a-f]{32}$/.test(text))
    return [{ key: text, kind: 'Webhooks', label: text, link: { to: '/deliveries/$delivery', params: { delivery: text } } }];
  return [];
}
