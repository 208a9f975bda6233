import { Stack, Title } from '@mantine/core';
import { InvoiceList } from '../../billing/InvoiceList';
import { OfficeOnly } from '../../billing/parts';
import { useTitle } from '../../shared/title';

export function Invoices() {
  useTitle('Invoices');
  return (
    <OfficeOnly title="Invoices">
      <Stack gap="md">
        <Title order={1}>Invoices</Title>
        <InvoiceList />
      </Stack>
    </OfficeOnly>
  );
}
