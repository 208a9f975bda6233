import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Of } from '../../api/types';
import { errorWords, eventWords, hostOf } from '../../endpoints/words';
import type { Column } from '../../shared/list';
import { capital, Status } from '../../shared/status';
import { When } from '../../shared/when';

type Row = Of<'Delivery'>;

/** What a row of the list says; the last error in words, so that nobody has to open it for that. */
export const COLUMNS: readonly Column<Row>[] = [
  { heading: 'Event', cell: (row) => <Event row={row} /> },
  {
    heading: 'Order',
    cell: ({ orderNumber }) => (
      <Anchor renderRoot={(props) => <Link to="/orders/$order" params={{ order: orderNumber }} {...props} />} size="sm" className="nowrap">
        {orderNumber}
      </Anchor>
    ),
  },
  { heading: 'Account and server', cell: (row) => <Receiver row={row} /> },
  { heading: 'State', cell: ({ state }) => <Status of={state} /> },
  { heading: 'Attempts', cell: attemptsOf, right: true },
  {
    heading: 'Last error',
    cell: ({ lastErrorCode, lastStatus }) => (lastErrorCode === null ? null : capital(errorWords(lastErrorCode, lastStatus))),
  },
  { heading: 'Next attempt', cell: ({ nextAttemptAt }) => nextAttemptAt && <When at={nextAttemptAt} />, sort: 'nextAttempt' },
  { heading: 'Created', cell: ({ createdAt }) => <When at={createdAt} />, sort: 'newest' },
];

/** The API counts those of the present round. */
function attemptsOf({ attemptCount, chain, trigger }: Row): string {
  if (chain === 1) return String(attemptCount);
  return `${attemptCount} (after ${trigger === 'recover' ? 'a recovery' : 'a resend'})`;
}

function Event({ row }: { row: Row }) {
  return (
    <Stack gap={0}>
      <Anchor renderRoot={(props) => <Link to="/deliveries/$delivery" params={{ delivery: row.id }} {...props} />} size="sm" fw={600}>
        {eventWords(row.eventType)}
      </Anchor>
      <Text className="mono quiet nowrap">{row.eventType}</Text>
    </Stack>
  );
}

function Receiver({ row: { accountId, accountName, endpointUrl } }: { row: Row }) {
  return (
    <Stack gap={0}>
      <Anchor renderRoot={(props) => <Link to="/accounts/$account" params={{ account: accountId }} {...props} />} size="sm">
        {accountName}
      </Anchor>
      <span className="mono quiet" title={endpointUrl}>
        {hostOf(endpointUrl)}
      </span>
    </Stack>
  );
}
