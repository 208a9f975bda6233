import type { StoredCatalogue } from '../catalogue';
import type { ValidationIssue } from '../errors';
import { consistencyIssues } from './consistency';
import { offerIssues } from './offer';
import { BOOK_SCHEMA, priceBookSchema, type PriceBook } from './price-book';

type Document = Record<string, unknown>;

/**
 * The step at index N − 1 upgrades a document of schema N to schema N + 1. It adds new fields with defaults that keep the prices. Never
 * edit a step once books are stored in its schema: add a step, and increase `BOOK_SCHEMA`.
 */
const UPGRADES: readonly ((book: Document) => Document)[] = [
  // Schema 2: shipping.ceilingCents. The default is above every price in books of schema 1.
  (book) => withDefaults(book, 'shipping', { ceilingCents: 1_000_000_000 }),
  // Schema 3: standardBusinessDays, which affects no price.
  (book) => ({ standardBusinessDays: 10, ...book }),
  // Schema 4: deliveryDays of each rate of a delivery method, which affect no price.
  (book) =>
    mapPart(book, 'shipping', (shipping) => mapEntries(shipping, 'methods', (method) => mapEntries(method, 'zones', withDeliveryDays))),
  // Schema 5: untaxedZones. Without any, the whole country is taxed as before.
  (book) => withDefaults(book, 'tax', { untaxedZones: [] }),
];

type ReadResult = { book: PriceBook; issues: readonly never[] } | { book: null; issues: ValidationIssue[] };

/**
 * Reads a document, sent or stored, as a price book. All code that uses a book gets it from here. Upgrades the document to the current
 * schema and checks it as a whole, so that no price uses a missing field.
 * @returns the book, or every issue with its dotted path
 */
export function readPriceBook(document: unknown): ReadResult {
  const { upgraded, issues } = checkDocument(document);
  if (issues.length > 0) return { book: null, issues };
  const inconsistencies = consistencyIssues(upgraded);
  return inconsistencies.length > 0 ? { book: null, issues: inconsistencies } : { book: upgraded, issues: [] };
}

/**
 * Returns all issues of a book that is to be published, by dotted path. If a catalogue is given, also returns each row on offer without a
 * rate.
 */
export function validatePriceBook(document: unknown, onOffer?: StoredCatalogue): ValidationIssue[] {
  const { upgraded, issues } = checkDocument(document);
  // The next checks compare parts of the book, which requires a valid shape.
  if (issues.length > 0) return issues;
  return [...consistencyIssues(upgraded), ...(onOffer === undefined ? [] : offerIssues(upgraded, onOffer))];
}

/** `upgraded` is a book only if there are no issues. */
function checkDocument(document: unknown): { upgraded: PriceBook; issues: ValidationIssue[] } {
  const upgraded = upgradeToCurrentSchema(document);
  const issues: ValidationIssue[] = [];
  priceBookSchema(upgraded, '', issues);
  return { upgraded: upgraded as PriceBook, issues };
}

/** A document without `schema` has schema 1. An invalid schema stays as it is, and the check refuses it. */
function upgradeToCurrentSchema(document: unknown): unknown {
  if (!isObject(document)) return document;
  const schema = Object.hasOwn(document, 'schema') ? document['schema'] : 1;
  if (typeof schema !== 'number' || !Number.isInteger(schema) || schema < 1 || schema > BOOK_SCHEMA) return document;
  return UPGRADES.slice(schema - 1).reduce((book, step) => step(book), { ...document, schema: BOOK_SCHEMA } as Document);
}

/** Adds missing fields to a part. A part that is not an object stays as it is, and the check refuses it. */
function withDefaults(book: Document, part: string, defaults: Document): Document {
  return mapPart(book, part, (present) => ({ ...defaults, ...present }));
}

const withDeliveryDays = (rate: Document): Document => ({ deliveryDays: null, ...rate });

function mapPart(document: Document, part: string, change: (part: Document) => Document): Document {
  const present = document[part];
  return isObject(present) ? { ...document, [part]: change(present) } : document;
}

function mapEntries(document: Document, part: string, change: (entry: Document) => Document): Document {
  const list: unknown = document[part];
  return Array.isArray(list) ? { ...document, [part]: list.map((entry: unknown) => (isObject(entry) ? change(entry) : entry)) } : document;
}

const isObject = (value: unknown): value is Document => typeof value === 'object' && value !== null && !Array.isArray(value);
