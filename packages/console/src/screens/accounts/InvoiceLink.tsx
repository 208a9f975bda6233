import { To } from '../../shared/to';

/** Leads to an invoice by its number, without what the list was filtered by. */
export function InvoiceLink({ accountId, number }: { accountId: string; number: string }) {
  return (
    <To to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'invoices', invoice: number }} fw={600}>
      {number}
    </To>
  );
}
