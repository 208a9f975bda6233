import { InvoiceList } from '../../billing/InvoiceList';
import { Screen } from '../../shared/layout';

export function Invoices() {
  return (
    <Screen title="Invoices" minRole="office" what="accounts and money">
      <InvoiceList />
    </Screen>
  );
}
