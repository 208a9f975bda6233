import { Alert, Anchor, Box, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callApi, type Schema, studio } from '../../api/studio';
import { useHasRole } from '../../session/session';
import { Action, singleSpaced, useActionForm } from '../../shared/action';
import { FactList, OnlyFor, Panel, Screen } from '../../shared/layout';
import { settingsQuery } from '../../shared/settings';
import { CLIENT_NOT_NOTIFIED } from '../../shared/words';
import { Badges } from './Badges';
import { Carriers } from './Carriers';
import { LabelProgram } from './LabelProgram';
import { Reminders } from './Reminders';
import { Schedules, schedulesQuery } from './Schedules';
import { Stages } from './Stages';
import { Tokens } from './Tokens';
import { Loaded } from '../../shared/feedback';

export function Settings() {
  const isAdmin = useHasRole('admin');
  return (
    <Screen title="Settings">
      <OnlyFor minRole="office" what="the settings">
        <BusinessDetails />
        <CriticalRush />
        <Carriers />
        <Stages />
        <LabelProgram />
        <Reminders />
        {isAdmin && <Tokens />}
        {isAdmin && <Badges />}
        <Schedules />
      </OnlyFor>
      <Links />
    </Screen>
  );
}

function CriticalRush() {
  const { data: settings } = useQuery(settingsQuery);
  if (settings === undefined) return null;
  const isOn = settings.criticalRushEnabled;
  return (
    <Panel
      title="Critical rush"
      beside={
        <Action
          label={isOn ? 'Turn off' : 'Turn on'}
          target="critical rush"
          title={`Turn ${isOn ? 'off' : 'on'} critical rush`}
          consequences={[
            isOn
              ? 'New quotes with critical rush are refused. Existing quotes and orders keep it.'
              : 'New quotes can have critical rush, at the fee of the price book.',
            CLIENT_NOT_NOTIFIED,
          ]}
          retry="safe"
          run={() => callApi(studio.PATCH('/settings', { body: { criticalRushEnabled: !isOn } }))}
          toast={() => `Critical rush is ${isOn ? 'off' : 'on'}`}
        />
      }
    >
      <Text size="sm">{isOn ? 'On: clients can choose it.' : 'Off: quotes with critical rush are refused.'}</Text>
    </Panel>
  );
}

function Links() {
  const isOffice = useHasRole('office');
  const { data: schedules } = useQuery({ ...schedulesQuery, enabled: isOffice });
  const workflow = schedules?.flatMap(({ runs }) => runs).find(({ workflowUrl }) => workflowUrl !== null)?.workflowUrl;
  const links = {
    Guides: '/docs/guides',
    'API reference': '/docs',
    ...(workflow && { 'Temporal Web UI': workflow.replace(/\/workflows\/.*$/, '/workflows') }),
  };
  return (
    <Panel title="Documentation">
      <Group>
        {Object.entries(links).map(([name, href]) => (
          <Anchor key={name} size="sm" href={href} target="_blank" rel="noreferrer">
            {name}
          </Anchor>
        ))}
      </Group>
    </Panel>
  );
}

type Details = NonNullable<Schema<'Settings'>['studio']>;
const EMPTY: Details = { name: '', abn: '', address: '', bank: '' };
const FIELDS = [
  { name: 'name', label: 'Name', rows: 1 },
  { name: 'abn', label: 'ABN', description: '11 digits', rows: 1 },
  { name: 'address', label: 'Address', rows: 3 },
  { name: 'bank', label: 'Bank account', description: 'For payment of invoices', rows: 3 },
] as const;

/** The studio's details on invoices and other documents. */
function BusinessDetails() {
  const query = useQuery(settingsQuery);
  return (
    <Panel title="Business details" beside={query.data && <EditDetails current={query.data.studio ?? EMPTY} />}>
      <Loaded query={query} what="Loading settings">
        {({ studio: details }) =>
          details === null ? (
            <Alert color="yellow" title="No business details yet">
              Until you add them, invoices are not tax invoices and have no bank account.
            </Alert>
          ) : (
            <Box style={{ whiteSpace: 'pre-line' }}>
              <FactList facts={Object.fromEntries(FIELDS.map(({ name, label }) => [label, details[name]]))} />
            </Box>
          )
        }
      </Loaded>
    </Panel>
  );
}

function EditDetails({ current }: { current: Details }) {
  const form = useActionForm(
    () => current,
    (values) => ({ values: Object.values(values).some((text) => text.trim() === '') && 'Fill in all fields' }),
  );
  return (
    <Action
      label="Edit"
      confirm="Save"
      target="business details"
      title="Edit business details"
      consequences={['New invoices, packing slips and statements show these details. Issued invoices and credit notes keep theirs.']}
      retry="safe"
      run={() => callApi(studio.PATCH('/settings', { body: { studio: { ...form.values, abn: singleSpaced(form.values.abn) } } }))}
      toast={() => 'Business details saved'}
      {...form.action}
    >
      {(issues) =>
        FIELDS.map(({ name, rows, ...field }) => {
          const error = issues.find(({ path }) => path === `studio.${name}`)?.message;
          const props = { required: true, ...field, ...form.field(name), error };
          return rows === 1 ? <TextInput key={name} {...props} /> : <Textarea key={name} {...props} minRows={rows} />;
        })
      }
    </Action>
  );
}
