import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { errorWords } from '../../endpoints/words';
import { ListTable, useList, type Column } from '../../shared/list';
import { capital, Status } from '../../shared/status';
import { When } from '../../shared/when';
import { Part } from './Part';

type Row = Of<'WebhookEndpointWithHealth'>;
const ROWS_OF_A_PAGE = 100;

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'Account', cell: ({ accountId, accountName }) => <OfAccount id={accountId} name={accountName} /> },
  { heading: 'Where it goes', cell: ({ id, url }) => <ToDeliveries id={id} url={url} /> },
  { heading: 'State', cell: ({ state }) => <Status of={state} /> },
  { heading: 'Why', cell: (row) => reasonOf(row) },
  { heading: 'Failed last', cell: ({ health }) => <When at={health.lastFailureAt} /> },
  { heading: 'Waits', right: true, cell: ({ deliveries, health }) => deliveries.held + deliveries.failed + health.pending },
];

/** Where clients' programs do not hear what they are told. For the office. */
export function Endpoints() {
  const [environment] = useEnvironment();
  const list = useList<Row>(['endpoints', environment, 'failing'], async (cursor) => {
    const query = { environment, limit: ROWS_OF_A_PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const found = await page(studio.GET('/webhook-endpoints', { params: { query } }));
    return { ...found, rows: found.rows.filter(isFailing) };
  });
  return (
    <Part title="Endpoints that fail" about="A client's address for webhooks is disabled, or what is sent there does not arrive.">
      <ListTable
        label="Endpoints that fail"
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={list.hasNextPage ? 'None of the newest hundred fails.' : 'None fails.'}
      />
    </Part>
  );
}

const isFailing = ({ state, consecutiveFailures, health }: Row): boolean =>
  state === 'disabled' || consecutiveFailures > 0 || (health.lastFailureAt ?? '') > (health.lastSuccessAt ?? '');

function reasonOf({ disabledReason, consecutiveFailures, health: { lastErrorCode } }: Row): string {
  const last = lastErrorCode === null ? null : capital(errorWords(lastErrorCode));
  const inARow = consecutiveFailures === 0 ? null : `${consecutiveFailures} given up in a row`;
  return [last, disabledReason ?? inARow].filter((words) => words !== null).join('; ') || '–';
}

/** What failed on the way there, each with its reason. */
function ToDeliveries({ id, url }: { id: string; url: string }) {
  return (
    <Anchor
      renderRoot={(props: object) => <Link {...props} to="/deliveries" search={{ endpoint: id, state: 'failed' }} />}
      inherit
      className="mono"
      title="What failed on the way there"
    >
      {url}
    </Anchor>
  );
}

function OfAccount({ id, name }: { id: string; name: string }) {
  return (
    <Anchor component={Link} to={`/accounts/${id}`} inherit>
      {name}
    </Anchor>
  );
}
