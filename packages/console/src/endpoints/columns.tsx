import type { RowsColumn } from '../shared/list';
import { AccountLink } from '../shared/orders';
import { StatusBadge } from '../shared/status';
import { TextLink } from '../shared/text-link';
import { EndpointActions } from './EndpointActions';
import { EndpointHealth } from './EndpointHealth';
import { type EndpointWithHealth, healthOf } from './health';
import { hostOf } from './words';

/** The columns of a table of endpoints. */
export const ENDPOINT_COLUMNS: readonly RowsColumn<EndpointWithHealth>[] = [
  {
    heading: 'Endpoint',
    cell: ({ id, url }) => (
      <TextLink to="/deliveries" search={{ endpoint: id }} size="sm" fw={600} title={url} className="anywhere">
        {hostOf(url)}
      </TextLink>
    ),
  },
  { heading: 'Account', cell: ({ accountId, accountName }) => <AccountLink id={accountId} name={accountName} size="sm" /> },
  { heading: 'Status', cell: (endpoint) => <StatusBadge of={healthOf(endpoint)} /> },
  { heading: 'Details', cell: (endpoint) => <EndpointHealth endpoint={endpoint} /> },
  { heading: '', cell: (endpoint) => <EndpointActions endpoint={endpoint} pending={endpoint.health.pending} />, right: true },
];
