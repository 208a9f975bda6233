import type { Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes';

const KEYWORD = 2; // temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD

/** Registers missing search attributes in the namespace. @returns all names */
export async function registerSearchAttributes({ connection, options: { namespace } }: Client): Promise<string[]> {
  const names = Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name);
  const registered = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = names.filter((name) => !Object.hasOwn(registered.customAttributes, name));
  if (missing.length > 0) {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
    });
  }
  return names;
}
