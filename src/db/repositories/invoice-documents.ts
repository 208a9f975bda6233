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

/** Names and stock of catalogue rows, including withdrawn ones. */
export interface MaterialRecords {
  nameOf: NameOf;
  /** The day as stored, which can be past; null if the row has none or is unknown. */
  outOfStockUntil: (section: StoredCatalogueSection, id: string) => string | null;
}

/** The catalogue rows that the jobs select, by section and id. Includes withdrawn rows, because orders name them. */
export async function findMaterials(sql: Sql, jobs: readonly Pick<PricedJob, 'selections'>[]): Promise<MaterialRecords> {
  const ids = jobs.flatMap(({ selections }) => Object.values(selections));
  return toRecords(await sql.rows(`${NAMED_ROWS} WHERE id = ANY ($1)`, [ids]));
}

/** The materials of an order's lines, like `findMaterials`. */
export async function findMaterialsOfOrder(sql: Sql, by: IdOrNumber): Promise<MaterialRecords> {
  const selected = `SELECT selection.value FROM ${STUDIO_ORDER_TABLES} CROSS JOIN jsonb_array_elements(${JOBS}) job
     CROSS JOIN jsonb_each_text(job -> 'selections') selection WHERE ${isOrder(by)}`;
  return toRecords(await sql.rows(`${NAMED_ROWS} WHERE id IN (${selected})`, Object.values(by)));
}

const NAMED_ROWS = 'SELECT section, id, content, out_of_stock_until FROM catalogue_rows';

interface NamedRow {
  section: StoredCatalogueSection;
  id: string;
  content: { name?: string; widthMm?: number; heightMm?: number };
  out_of_stock_until: string | null;
}

function toRecords(rows: NamedRow[]): MaterialRecords {
  const names = new Map(
    rows.map(({ section, id, content }) => [
      `${section}/${id}`,
      section === 'sleeves' ? `${id}, ${content.widthMm} × ${content.heightMm} mm` : content.name,
    ]),
  );
  const days = new Map(rows.map((row) => [`${row.section}/${row.id}`, row.out_of_stock_until]));
  return {
    nameOf: (section, id) => names.get(`${section}/${id}`),
    outOfStockUntil: (section, id) => days.get(`${section}/${id}`) ?? null,
  };
}
