import type { Buyer } from '../../domain/account-record';
import type { StoredCatalogueSection } from '../../domain/catalogue';
import type { IdOrNumber } from '../../domain/order-number';
import type { PricedJob } from '../../domain/pricing/priced-quote';
import type { Sql } from '../database';
import { invoiceColumn, type InvoiceReference } from './invoices';
import { isOrder, JOBS, STUDIO_ORDER_TABLES } from './studio-orders';
import type { RowOf } from '../columns';
import {
  CREDIT_NOTE_COLUMNS,
  INVOICE_COLUMNS,
  ORDER_COLUMNS,
  SELLER_COLUMNS,
  type CreditNoteRow,
  type InvoiceRow,
  type SellerRow,
} from '../rows';

/** Further fields of money documents: the order, and the details of buyer and seller at the time of the invoice. */
interface DocumentFields {
  order_number: string;
  currency: string;
  buyer: Buyer;
  seller: SellerRow | null;
}

/** Figures of the order that an invoice bills. */
const BILLED_ORDER_COLUMNS = ORDER_COLUMNS.only(
  'lines',
  'reference',
  'subtotal_cents',
  'discount_cents',
  'shipping_cents',
  'shipping_method',
  'rush_fee_cents',
);
type BilledOrder = RowOf<typeof BILLED_ORDER_COLUMNS>;

export type InvoiceDocumentRow = InvoiceRow & BilledOrder & DocumentFields & { jobs: PricedJob[] };
export type CreditNoteDocumentRow = CreditNoteRow & DocumentFields & { invoice_number: string };

const DOCUMENT_COLUMNS = `o.order_number, o.currency, i.buyer,
  (SELECT ${SELLER_COLUMNS.json('s')} FROM sellers s WHERE s.version = i.seller_version) AS seller`;
const JOINS = 'JOIN orders o ON o.id = i.order_id';

export type CreditNoteReference = { id: string } | { number: string };

/** Null if there is none. */
export function findInvoiceDocument(sql: Sql, by: InvoiceReference): Promise<InvoiceDocumentRow | null> {
  const [column, value] = invoiceColumn(by);
  return sql.row(
    `
    SELECT ${INVOICE_COLUMNS.without('buyer').of('i')}, ${BILLED_ORDER_COLUMNS.of('o')}, ${DOCUMENT_COLUMNS}, ${JOBS} AS jobs
      FROM invoices i ${JOINS} LEFT JOIN quotes q ON q.id = o.quote_id LEFT JOIN remakes m ON m.order_id = o.id WHERE i.${column} = $1`,
    [value],
  );
}

/** Finds an invoice by id or number; null if there is none. */
export function findCreditNoteDocument(sql: Sql, by: CreditNoteReference): Promise<CreditNoteDocumentRow | null> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['credit_note_number', by.number];
  return sql.row(
    `
    SELECT ${CREDIT_NOTE_COLUMNS.of('n')}, i.invoice_number, ${DOCUMENT_COLUMNS}
      FROM credit_notes n JOIN invoices i ON i.id = n.invoice_id ${JOINS} WHERE n.${column} = $1`,
    [value],
  );
}

type NameOf = (section: StoredCatalogueSection, id: string) => string | undefined;

/** Names of the catalogue rows with these ids, by section and id. Includes withdrawn rows, because orders name them. */
export async function findCatalogueNames(sql: Sql, ids: readonly string[]): Promise<NameOf> {
  return toNameLookup(await sql.rows(`${NAMED_ROWS} WHERE id = ANY ($1)`, [ids]));
}

/** Names of the materials of an order's lines, like `findCatalogueNames`. */
export async function findMaterialNames(sql: Sql, by: IdOrNumber): Promise<NameOf> {
  const selected = `SELECT selection.value FROM ${STUDIO_ORDER_TABLES} CROSS JOIN jsonb_array_elements(${JOBS}) job
     CROSS JOIN jsonb_each_text(job -> 'selections') selection WHERE ${isOrder(by)}`;
  return toNameLookup(await sql.rows(`${NAMED_ROWS} WHERE id IN (${selected})`, Object.values(by)));
}

const NAMED_ROWS = 'SELECT section, id, content FROM catalogue_rows';

interface NamedRow {
  section: StoredCatalogueSection;
  id: string;
  content: { name?: string; widthMm?: number; heightMm?: number };
}

function toNameLookup(rows: NamedRow[]): NameOf {
  const names = new Map(
    rows.map(({ section, id, content }) => [
      `${section}/${id}`,
      section === 'sleeves' ? `${id}, ${content.widthMm} × ${content.heightMm} mm` : content.name,
    ]),
  );
  return (section, id) => names.get(`${section}/${id}`);
}
