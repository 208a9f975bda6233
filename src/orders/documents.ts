import type { Database } from '../db/database';
import { findMaterials, findCreditNoteDocument, findInvoiceDocument, type CreditNoteReference } from '../db/repositories/invoice-documents';
import type { InvoiceReference } from '../db/repositories/invoices';
import { currencyOf, findEffectiveVersion, methodNameOf, type PriceBookReader } from '../db/repositories/price-book-reader';
import { findCurrentSeller } from '../db/repositories/sellers';
import { readStatement, type StatementPeriod } from '../db/repositories/statement';
import { timeZoneOf } from '../db/repositories/studio-calendar';
import { buyerOf } from '../domain/account-record';
import type { Clock } from '../platform/clock';
import { presentStatement, type PresentedStatement } from '../presenters/statement';
import { createCreditNoteContent, createInvoiceContent } from '../documents/invoice';
import type { PdfContent } from '../documents/pdf-renderer';
import { createStatementContent, findFirstUnprintable, MAX_PRINTED_ENTRIES } from '../documents/statement';

export interface DocumentDeps {
  database: Database;
  priceBooks: PriceBookReader;
  clock: Clock;
}

/** The content of a PDF, and the name of its file without the ending. */
export interface LoadedDocument {
  name: string;
  content: PdfContent;
}

/** An invoice with the details of its day; null if there is none. */
export async function loadInvoice({ database, priceBooks, clock }: DocumentDeps, by: InvoiceReference): Promise<LoadedDocument | null> {
  const [invoice, version] = await database.snapshot((sql) =>
    Promise.all([findInvoiceDocument(sql, by), findEffectiveVersion(sql, clock.now())]),
  );
  if (invoice === null) return null;
  const book = version === null ? null : await priceBooks.read(database, version);
  const { nameOf } = await findMaterials(database, invoice.jobs);
  return { name: invoice.invoice_number, content: createInvoiceContent(invoice, nameOf, methodNameOf(book, invoice), timeZoneOf(book)) };
}

/** Null if there is none. */
export async function loadCreditNote(
  { database, priceBooks, clock }: DocumentDeps,
  by: CreditNoteReference,
): Promise<LoadedDocument | null> {
  const note = await findCreditNoteDocument(database, by);
  if (note === null) return null;
  const book = await priceBooks.findEffective(database, clock.now());
  return { name: note.credit_note_number, content: createCreditNoteContent(note, timeZoneOf(book?.book ?? null)) };
}

export interface LoadedStatement extends LoadedDocument {
  statement: PresentedStatement;
  /** The index of the first entry that a PDF does not hold; -1 if all fit. */
  firstUnprintable: number;
}

/** The statement of an account with its current details; null if there is no such account. */
export async function loadStatement(
  { database, priceBooks, clock }: DocumentDeps,
  period: StatementPeriod,
): Promise<LoadedStatement | null> {
  const now = clock.now();
  const [row, studio, effective] = await Promise.all([
    readStatement(database, period, MAX_PRINTED_ENTRIES + 1),
    findCurrentSeller(database),
    priceBooks.findEffective(database, now),
  ]);
  if (row === null) return null;
  const book = effective?.book ?? null;
  const timeZone = timeZoneOf(book);
  const statement = presentStatement(row, period, { currency: currencyOf(book), timeZone });
  return {
    name: `statement-${period.from}-${period.to}`,
    content: createStatementContent({ statement, buyer: buyerOf(row), studio, timeZone, printedAt: now }),
    statement,
    firstUnprintable: findFirstUnprintable(statement.entries),
  };
}
