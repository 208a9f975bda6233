import { Alert, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi, studio } from '../api/studio';
import { TextLink } from './text-link';

export const settingsQuery = queryOptions({ queryKey: ['settings'], queryFn: () => callApi(studio.GET('/settings')) });

function useDetailsMissing(): boolean {
  return useQuery(settingsQuery).data?.studio === null;
}

const ToSettings = ({ children }: { children: React.ReactNode }) => (
  <TextLink to="/settings" inherit underline="always">
    {children}
  </TextLink>
);

/** Notice for the office that the business details are missing. */
export function StudioDetailsMissing() {
  if (!useDetailsMissing()) return null;
  return (
    <Alert color="yellow" role="status" title="Invoices are no tax invoices yet">
      Issued invoices keep the details of their day. <ToSettings>Add business details</ToSettings>
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

export function MissingBusinessDetailsNote() {
  if (!useDetailsMissing()) return null;
  return (
    <Text size="sm">
      Not a tax invoice. <ToSettings>Add business details</ToSettings>
    </Text>
  );
}
