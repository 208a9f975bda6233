import { useQueries, useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { invoiceQuery, orderQuery } from '../api/reads';
import { callApiPage, type Environment, studio } from '../api/studio';
import { isWithdrawn, nameOf, type Row, sectionQuery } from '../screens/catalogue/rows';
import { type Section, SECTION_NAMES, SECTIONS } from '../screens/catalogue/sections';
import { useEnvironment } from '../session/environment';
import { useHasRole } from '../session/session';
import { readNumber } from '../shared/order-number';
import { type OrderRow, recipientAndReferences } from '../shared/orders';
import { displayStatus } from '../shared/progress';
import { hasWords } from '../shared/search-words';
import { statusLabel } from '../shared/words';

/** A record that the search has found. */
export interface Hit {
  key: string;
  kind: 'Orders' | 'Accounts' | 'Invoices' | 'Webhooks' | 'Catalogue';
  label: string;
  description?: string;
  /** The text is the number of this record, which Enter opens. */
  isExact?: boolean;
  link: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

const MAX_HITS = 6;
const MIN_LENGTH = 2;
const DELIVERY_ID = /^dlv_[0-9a-f]{32}$/;
/** Numbers of test records begin with a T. */
const RECORD_NUMBER = /^(T?)(P|T|INV|CN)[\s\p{Pd}\u2212]*\d[\s\p{Pd}\u2212\dR]*$/iu;

/** Searches orders, accounts, invoices, credit notes, webhooks and materials. */
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
  const [orderNumber, invoiceNumber] = [readNumber('order', text, environment), readNumber('invoice', text, null)];
  const exact = useQuery({ ...orderQuery(orderNumber ?? ''), enabled: isSearch && orderNumber !== null });
  const invoice = useQuery({ ...invoiceQuery(invoiceNumber ?? ''), enabled: isOffice && invoiceNumber !== null });
  const catalogueRows = useQueries({
    queries: SECTION_NAMES.map((section) => ({ ...sectionQuery(section), enabled: isSearch && isOffice, staleTime: 60_000 })),
  });
  if (!isSearch) return { hits: [], isPending: false };
  const materialHits = SECTION_NAMES.flatMap((section, index) =>
    (catalogueRows[index]?.data ?? []).map((row) => materialHit(section, row)),
  );
  const hits: Hit[] = [
    ...(DELIVERY_ID.test(text) ? [deliveryHit(text)] : []),
    // An invoice number finds its order too; the invoice is the better hit.
    ...(exact.data === undefined ? [] : [{ ...orderHit(exact.data, text), isExact: true }]),
    ...(invoice.data === undefined
      ? (orders.data ?? []).filter(({ orderId }) => orderId !== exact.data?.orderId).map((order) => orderHit(order, text))
      : [invoiceHit(invoice.data)]),
    ...(accounts.data ?? []).map(({ id, name, email }): Hit => ({
      key: id,
      kind: 'Accounts',
      label: name,
      description: email,
      link: { to: '/accounts/$account', params: { account: id } },
    })),
    ...materialHits.filter(({ label }) => hasWords(label, text)).slice(0, MAX_HITS),
  ];
  return {
    hits,
    isPending:
      orders.isLoading || exact.isLoading || accounts.isLoading || invoice.isLoading || catalogueRows.some(({ isLoading }) => isLoading),
  };
}

function environmentOf(text: string): Environment | null {
  const [, test, kind] = RECORD_NUMBER.exec(text) ?? [];
  if (kind === undefined) return null;
  return test !== '' || kind.toUpperCase() === 'T' ? 'test' : 'live';
}

/** An order, or its credit note if the text is a credit note number. */
function orderHit(order: OrderRow, text: string): Hit {
  const { orderId, orderNumber, accountName } = order;
  const link = { to: '/orders/$order', params: { order: orderNumber } } as const;
  const creditNote = readNumber('credit_note', text, null);
  if (creditNote !== null)
    return { key: orderId, kind: 'Orders', label: creditNote, description: `Credit note of ${orderNumber}, ${accountName}`, link };
  const description = [statusLabel(displayStatus(order)), accountName, ...recipientAndReferences(order)].join(' · ');
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

const deliveryHit = (id: string): Hit => ({
  key: id,
  kind: 'Webhooks',
  label: id,
  link: { to: '/deliveries/$delivery', params: { delivery: id } },
});

function materialHit(section: Section, row: Row): Hit {
  const label = nameOf(section, row);
  const description = `${SECTIONS[section].title}${isWithdrawn(row) ? ' · withdrawn' : ''}`;
  return { key: `${section} ${label}`, kind: 'Catalogue', label, description, link: { to: '/catalogue', search: { section, q: label } } };
}
