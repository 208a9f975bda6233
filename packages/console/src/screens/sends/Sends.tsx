import { Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import dayjs from 'dayjs';
import { callApi, callApiPage, type QueryOf, type Schema, studio } from '../../api/studio';
import { SendList } from '../../billing/SendList';
import { AccountFilter } from '../../shared/account-filter';
import { Action, useActionForm } from '../../shared/action';
import { Loaded } from '../../shared/feedback';
import { ChoiceFilter, FilterBar, useIsFiltered } from '../../shared/filter-bar';
import { DayInput } from '../../shared/inputs';
import { Panel, Screen } from '../../shared/layout';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { useSearchParams } from '../../shared/search-params';
import { StatusBadge } from '../../shared/status';
import { TextLink } from '../../shared/text-link';
import { Day, Time } from '../../shared/time';
import { useToday } from '../../shared/today';
import { NO_RESULTS, plural, statusLabel } from '../../shared/words';

type Run = Schema<'StatementRun'>;

/** Mails with documents, and the statements to all accounts. */
export function Sends() {
  const [{ run }] = useSearchParams();
  return (
    <Screen title="Mails" minRole="office" what="mails to clients" actions={<SendStatements />}>
      {run === undefined ? <Runs /> : <RunProgress id={run} />}
      <Filters />
      <List />
    </Screen>
  );
}

const STATES = ['pending', 'sent', 'refused', 'skipped'].map((value) => ({ value, label: statusLabel(value) }));
const DOCUMENTS = ['invoice', 'credit_note', 'statement', 'reminder'].map((value) => ({ value, label: statusLabel(value) }));

function Filters() {
  return (
    <FilterBar label="Filter mails">
      <AccountFilter name="account" />
      <ChoiceFilter name="document" label="Document" data={DOCUMENTS} />
      <ChoiceFilter name="state" label="Status" data={STATES} />
    </FilterBar>
  );
}

function List() {
  const [{ account: accountId, document, state, run: runId }] = useSearchParams();
  const filter = { accountId, document, state, runId } as QueryOf<'listSends'>;
  return <SendList filter={filter} empty={useIsFiltered() ? NO_RESULTS : 'No documents sent yet'} />;
}

/** A running run has no event for each mail. */
const POLL_MS = 2_000;

function RunProgress({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['runs', id],
    queryFn: () => callApi(studio.GET('/statement-runs/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) => data?.state === 'running' && POLL_MS,
  });
  return (
    <Loaded query={query} what="Loading the statement run">
      {(run) => (
        <Panel title={`Statements from ${run.periodFrom} to ${run.periodTo}`} beside={<ChangeRun run={run} />}>
          <Stack gap="xs">
            <Progress value={run.accounts === 0 ? 100 : (100 * (run.accounts - run.pending)) / run.accounts} aria-label="Progress" />
            <Text size="sm" role="status">
              {statusLabel(run.state)}: {run.sent} of {plural(run.accounts, 'account')} sent, {run.refused} refused, {run.pending} pending
            </Text>
          </Stack>
        </Panel>
      )}
    </Loaded>
  );
}

/** Pauses a running run, or resumes a paused one. */
function ChangeRun({ run: { id, state } }: { run: Run }) {
  if (state === 'completed') return null;
  const isRunning = state === 'running';
  const params = { path: { id } };
  return (
    <Action
      key={state}
      label={isRunning ? 'Pause' : 'Resume'}
      target="the statement run"
      title={isRunning ? 'Pause the statements' : 'Resume the statements'}
      consequences={[
        isRunning ? 'No further account gets its statement until you resume.' : 'The accounts that are still pending get their statements.',
      ]}
      retry="safe"
      run={() =>
        callApi(isRunning ? studio.POST('/statement-runs/{id}/pause', { params }) : studio.POST('/statement-runs/{id}/resume', { params }))
      }
      toast={(changed) => `Statements: ${statusLabel(changed.state).toLowerCase()}`}
    />
  );
}

function Runs() {
  const query = useQuery({
    queryKey: ['runs'],
    queryFn: () => callApiPage(studio.GET('/statement-runs', { params: { query: { limit: 5 } } })),
  });
  return (
    <Panel title="Statements to all accounts">
      <Loaded query={query} what="Loading statement runs">
        {({ rows }) => (
          <StaticTable label="Statements to all accounts" rows={rows} columns={RUN_COLUMNS} keyOf={({ id }) => id} empty="None yet" />
        )}
      </Loaded>
    </Panel>
  );
}

const RUN_COLUMNS: readonly RowsColumn<Run>[] = [
  {
    heading: 'Period',
    cell: ({ id, periodFrom, periodTo }) => (
      <TextLink to="/sends" search={{ run: id }}>
        <Day day={periodFrom} /> – <Day day={periodTo} />
      </TextLink>
    ),
  },
  { heading: 'Status', cell: ({ state }) => <StatusBadge of={state} /> },
  { heading: 'Accounts', right: true, cell: ({ accounts }) => accounts },
  { heading: 'Sent', right: true, cell: ({ sent }) => sent },
  { heading: 'Refused', right: true, cell: ({ refused }) => refused },
  { heading: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The months of statements are usually those that have ended. */
function lastMonth(today: string) {
  const month = dayjs(today).subtract(1, 'month');
  return { from: month.startOf('month').format('YYYY-MM-DD'), to: month.endOf('month').format('YYYY-MM-DD') };
}

/** Mails each account with a balance its statement. */
export function SendStatements() {
  const today = useToday();
  const navigate = useNavigate();
  const form = useActionForm(
    () => lastMonth(today),
    ({ from, to }) => ({ period: from > to && 'The first day must not be after the last' }),
  );
  const run = async (runId: string) => {
    const { from: periodFrom, to: periodTo } = form.values;
    const started = await callApi(studio.POST('/statement-runs', { body: { runId, periodFrom, periodTo } }));
    await navigate({ to: '/sends', search: { run: started.id } });
    return started;
  };
  return (
    <Action
      label="Send statements"
      title="Send statements to all accounts with a balance"
      consequences={['Each account with an outstanding amount or credit gets a mail with its statement. You can pause, but not recall it.']}
      subject="all"
      run={run}
      toast={({ accounts }) => `Sending to ${plural(accounts, 'account')}`}
      {...form.action}
    >
      <Group grow align="start">
        <DayInput label="From" clearable={false} {...form.field('from')} />
        <DayInput label="To (inclusive)" clearable={false} {...form.field('to')} />
      </Group>
    </Action>
  );
}
