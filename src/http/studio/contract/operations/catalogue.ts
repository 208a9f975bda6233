import { ID } from './ids';
import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { CATALOGUE_ROW_EXAMPLE } from '../examples';
import { CATALOGUE_ENTRY } from '../resources';

/** What the contract says of catalogue (studio API "Endpoints"). */
export const CATALOGUE_OPERATIONS = {
  list: {
    id: 'listSection',
    tag: 'Catalogue',
    summary: 'Every row of a section, withdrawn ones too',
    params: { section: ID.section },
    answer: list(CATALOGUE_ENTRY),
    paged: true,
    example: { answer: [CATALOGUE_ROW_EXAMPLE] },
  },
  put: {
    id: 'putRow',
    tag: 'Catalogue',
    summary: 'Write a whole row, old or new',
    description: 'The next quote already sees it. What `withdrawn` was stays unless it is sent.',
    params: { section: ID.section, id: ID.row },
    answer: CATALOGUE_ENTRY,
    example: { request: { widthMm: 210, heightMm: 297 }, answer: CATALOGUE_ROW_EXAMPLE },
  },
  withdraw: {
    id: 'withdrawRow',
    tag: 'Catalogue',
    summary: 'Withdraw a row, or offer it again',
    params: { section: ID.section, id: ID.row },
    answer: CATALOGUE_ENTRY,
    example: { request: { withdrawn: true }, answer: { ...CATALOGUE_ROW_EXAMPLE, withdrawn: true } },
  },
} satisfies Record<string, OperationContract>;
