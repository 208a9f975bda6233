import { Connection } from '@temporalio/client';
import type { TemporalConfig } from '../config';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes';
import { connectionOptions } from './connect';

const KEYWORD = 2; // temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD

/** Registers what is not registered yet, so that ops can search by it. @returns all names */
export async function registerSearchAttributes(config: TemporalConfig): Promise<string[]> {
  const names = Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name);
  const connection = await Connection.connect(await connectionOptions(config));
  try {
    const known = await connection.operatorService.listSearchAttributes({ namespace: config.namespace });
    const missing = names.filter((name) => !Object.hasOwn(known.customAttributes, name));
    if (missing.length > 0) {
      await connection.operatorService.addSearchAttributes({
        namespace: config.namespace,
        searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
      });
    }
    return names;
  } finally {
    await connection.close();
  }
}
