import type { BasketIssue } from '../../../domain/basket/basket-refusal';
import type { QuoteItem, QuoteRequest } from '../../../domain/basket/quote-request';
import type { RushTier } from '../../../domain/limits';
import type { JsonObject } from '../../types';

export type IsRefused = (path: string) => boolean;

/**
 * Replaces each invalid field of a basket with a harmless value, so that the other fields can be checked too. One response then lists all
 * issues. `unreportedIssues` removes the issues about replaced values.
 */
export function toCheckableRequest({ items, shippingAddress, rushTier }: JsonObject, isRefused: IsRefused): QuoteRequest {
  const address = objectOrEmpty(shippingAddress);
  const field = (name: string): string => textOrEmpty(address[name]);
  return {
    items:
      Array.isArray(items) && !isRefused('items')
        ? items.map((item, at) => toCheckableItem(objectOrEmpty(item), `items.${at}`, isRefused))
        : [],
    shippingAddress: {
      name: field('name'),
      line1: field('line1'),
      city: field('city'),
      state: field('state'),
      postcode: field('postcode'),
      country: field('country'),
      email: field('email'),
    },
    ...(isRefused('rushTier') || rushTier === undefined ? {} : { rushTier: rushTier as RushTier }),
  };
}

function toCheckableItem(item: JsonObject, itemPath: string, isRefused: IsRefused): QuoteItem {
  return {
    productSlug: textOrEmpty(item['productSlug']),
    quantity: isRefused(`${itemPath}.quantity`) ? 1 : (item['quantity'] as number),
    variantSelections: objectOrEmpty(item['variantSelections']) as Record<string, string>, // the product's checks validate the values
    imageUrl: isRefused(`${itemPath}.imageUrl`) ? null : (item['imageUrl'] as string | null),
    externalReference: isRefused(`${itemPath}.externalReference`) ? null : (item['externalReference'] as string | null),
  };
}

/** The issues that the schema did not report. */
export const unreportedIssues = (issues: readonly BasketIssue[], isRefused: IsRefused): BasketIssue[] =>
  issues.filter(({ path }) => !isRefused(path) && !isRefused(parentOf(path)));

/** Issues of single selections are their own parent: they are kept even if `variantSelections` is missing, and list its required keys. */
const parentOf = (path: string): string => (path.includes('.variantSelections.') ? path : path.slice(0, path.lastIndexOf('.')));

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

export const objectOrEmpty = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
