import type { Of } from '../../../api/types';
import { When } from '../../../shared/when';

/** When it is due, and in words that this is past. */
export function Due({ of: { dueAt, overdue } }: { of: Pick<Of<'InvoiceRow'>, 'dueAt' | 'overdue'> }) {
  return (
    <>
      <When at={dueAt} />
      {overdue && <b> overdue</b>}
    </>
  );
}
