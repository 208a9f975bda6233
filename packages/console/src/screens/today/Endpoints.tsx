import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { page, studio } from '../../api/studio';
import { useEnvironment } from '../../session/environment';
import { judged, waitingAt, type FaringEndpoint as Row } from '../../endpoints/judgement';
import { errorWords } from '../../endpoints/words';
import { ListTable, useList, type Column } from '../../shared/list';
import { capital, Status } from '../../shared/status';
import { When } from '../../shared/when';
import { Part } from './Part';

const ROWS_OF_A_PAGE = 10;

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'Account', cell: ({ accountId, accountName }) => <OfAccount id={accountId} name={accountName} /> },
  { heading: 'Where it goes', cell: ({ id, url }) => <ToDeliveries id={id} url={url} /> },
  { heading: 'State', cell: (row) => <Status of={judged(row)} /> },
  { heading: 'Why', cell: (row) => reasonOf(row) },
  { heading: 'Failed last', cell: ({ health }) => <When at={health.lastFailureAt} /> },
  { heading: 'Waits', right: true, cell: waitingAt },
  { heading: 'Given up', right: true, cell: ({ deliveries }) => deliveries.failed },
];

/** Where clients' programs do not hear what they are told. For the office. */
export function Endpoints() {
  const [environment] = useEnvironment();
  const list = useList<Row>(['endpoints', environment, 'failing'], (cursor) => {
    const query = { environment, failing: 'true', limit: ROWS_OF_A_PAGE, ...(cursor === undefined ? {} : { cursor }) } as const;
    return page(studio.GET('/webhook-endpoints', { params: { query } }));
  });
  return (
    <Part title="Endpoints with trouble" about="A client's address for webhooks is disabled, or webhooks wait that did not arrive there.">
      <ListTable
        label="Endpoints with trouble"
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="None: nothing waits for a client’s server."
      />
    </Part>
  );
}

function reasonOf({ disabledReason, consecutiveFailures, health: { lastErrorCode } }: Row): string {
  const last = lastErrorCode === null ? null : capital(errorWords(lastErrorCode));
  const inARow = consecutiveFailures === 0 ? null : `${consecutiveFailures} given up in a row`;
  return [last, disabledReason ?? inARow].filter((words) => words !== null).join('; ') || '–';
}

/** What was sent there, each with its reason where it did not arrive. */
function ToDeliveries({ id, url }: { id: string; url: string }) {
  return (
    <Anchor
      renderRoot={(props: object) => <Link {...props} to="/deliveries" search={{ endpoint: id }} />}
      inherit
      className="mono"
      title="What was sent there"
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
