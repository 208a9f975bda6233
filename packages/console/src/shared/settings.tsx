import { Alert, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ask, studio } from '../api/studio';
import { To } from './to';

export const settingsQuery = queryOptions({ queryKey: ['settings'], queryFn: () => ask(studio.GET('/settings')) });

function useIsUntold(): boolean {
  return useQuery(settingsQuery).data?.studio === null;
}

const ToSettings = ({ children }: { children: React.ReactNode }) => (
  <To to="/settings" inherit underline="always">
    {children}
  </To>
);

/** That invoices are no tax invoices yet, where that is so, and where it is put right. For the office. */
export function UntoldNotice() {
  if (!useIsUntold()) return null;
  return (
    <Alert color="yellow" role="status" title="Invoices are no tax invoices yet">
      The studio’s name, ABN, address and bank account are not set, and an invoice keeps what was set when it was issued.{' '}
      <ToSettings>Set them in Settings</ToSettings>.
    </Alert>
  );
}

/** Notice for the office, from 90 days before the last known holidays end. */
export function HolidaysNotice() {
  const holidays = useQuery(settingsQuery).data?.holidays;
  if (holidays?.endSoon !== true) return null;
  return (
    <Alert color="yellow" role="status" title={`Holidays are known until ${holidays.until}`}>
      Dates after that count holidays as business days. An admin can publish a price book with the next holidays in Prices.
    </Alert>
  );
}

export function UntoldLine() {
  if (!useIsUntold()) return null;
  return (
    <Text size="sm">
      No tax invoice: the studio’s details are not set. <ToSettings>Set them in Settings</ToSettings>
    </Text>
  );
}
