import { Stack, Title } from '@mantine/core';
import { InvoiceList } from '../../billing/InvoiceList';
import { OnlyFor } from '../../shared/only-for';
import { useTitle } from '../../shared/title';

export function Invoices() {
  useTitle('Invoices');
  return (
    <OnlyFor minRole="office" what="accounts and money" title="Invoices">
      <Stack gap="md">
        <Title order={1}>Invoices</Title>
        <InvoiceList />
      </Stack>
    </OnlyFor>
  );
}
