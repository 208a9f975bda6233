import { list } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { AUDIT_EXAMPLE } from '../examples';
import { AUDIT_ENTRY } from '../resources';

/** What the contract says of audit (studio API "Endpoints"). */
export const AUDIT_OPERATIONS = {
  list: {
    id: 'listAudit',
    tag: 'Audit',
    summary: 'Every write, failed sign-in and refused role, newest first',
    answer: list(AUDIT_ENTRY),
    paged: true,
    example: { answer: [AUDIT_EXAMPLE] },
  },
} satisfies Record<string, OperationContract>;
