import { InvoiceList } from '../../billing/InvoiceList';
import { Screen } from '../../shared/screen';

export function Invoices() {
  return (
    <Screen title="Invoices" minRole="office" what="accounts and money">
      <InvoiceList />
    </Screen>
  );
}
