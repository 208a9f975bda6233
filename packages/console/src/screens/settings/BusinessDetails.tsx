import { Alert, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callApi, type Schema, studio } from '../../api/studio';
import { Action, useActionForm } from '../../shared/action';
import { ErrorAlert, Loading } from '../../shared/feedback';
import { FactList, Panel } from '../../shared/layout';
import { settingsQuery } from '../../shared/settings';

type Details = NonNullable<Schema<'Settings'>['studio']>;
const EMPTY: Details = { name: '', abn: '', address: '', bank: '' };
const FIELDS = [
  { name: 'name', label: 'Name', rows: 1 },
  { name: 'abn', label: 'ABN', description: '11 digits', rows: 1 },
  { name: 'address', label: 'Address', rows: 3 },
  { name: 'bank', label: 'Bank account', description: 'For payment of invoices', rows: 3 },
] as const;

/** The studio's details on invoices and other documents. */
export function BusinessDetails() {
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  const details = settings?.studio;
  return (
    <Panel title="Business details" beside={details !== undefined && <Edit current={details ?? EMPTY} />}>
      <ErrorAlert error={error} retry={() => void refetch()} />
      {settings === undefined && error === null && <Loading what="Loading settings" />}
      {details === null && (
        <Alert color="yellow" title="No business details yet">
          Until you add them, invoices are not tax invoices and have no bank account.
        </Alert>
      )}
      {details && (
        <FactList facts={Object.fromEntries(FIELDS.map(({ name, label }) => [label, <Lines key={name} text={details[name]} />]))} />
      )}
    </Panel>
  );
}

const Lines = ({ text }: { text: string }) => <span style={{ whiteSpace: 'pre-line' }}>{text}</span>;

function Edit({ current }: { current: Details }) {
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
      repeats="safely"
      run={() => callApi(studio.PATCH('/settings', { body: { studio: form.values } }))}
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
