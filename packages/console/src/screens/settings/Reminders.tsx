import { Fieldset, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callApi, type Schema, studio } from '../../api/studio';
import { useHasRole } from '../../session/session';
import { Action, useActionForm } from '../../shared/action';
import { Loaded } from '../../shared/feedback';
import { Panel } from '../../shared/layout';
import { LimitedNumberInput, WHOLE } from '../../shared/number-input';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { plural } from '../../shared/words';

type Step = Schema<'ReminderSettings'>['steps'][number];

/** The steps and texts of the reminders. Only admins change them. */
export function Reminders() {
  const isAdmin = useHasRole('admin');
  const query = useQuery({ queryKey: ['settings', 'reminders'], queryFn: () => callApi(studio.GET('/reminder-settings')) });
  return (
    <Panel title="Reminders" beside={isAdmin && query.data && <EditReminders steps={query.data.steps} />}>
      <Loaded query={query} what="Loading the reminders">
        {({ steps }) => (
          <StaticTable label="Steps of reminders" rows={steps} columns={COLUMNS} keyOf={({ days }) => String(days)} empty="No steps" />
        )}
      </Loaded>
    </Panel>
  );
}

const COLUMNS: readonly RowsColumn<Step>[] = [
  { heading: 'After due', cell: ({ days }) => plural(days, 'day') },
  { heading: 'Subject', wrap: true, cell: ({ subject }) => subject },
  { heading: 'Text above the invoices', wrap: true, cell: ({ message }) => message },
];

function EditReminders({ steps }: { steps: readonly Step[] }) {
  const form = useActionForm(
    () => ({ steps: steps.map((step) => ({ ...step })) }),
    ({ steps: typed }) => ({
      days:
        typed.some(({ days }, at) => !(Number(days) > Number(typed[at - 1]?.days ?? 0))) && 'Each step needs more days than the one before',
      texts: typed.some(({ subject, message }) => subject.trim() === '' || message.trim() === '') && 'Fill in all texts',
    }),
  );
  return (
    <Action
      label="Edit"
      confirm="Save"
      target="reminders"
      title="Edit reminders"
      consequences={['New reminders have these days and texts. The overdue invoices are listed below the text.']}
      retry="safe"
      run={() => callApi(studio.PUT('/reminder-settings', { body: form.values }))}
      toast={() => 'Reminders saved'}
      {...form.action}
    >
      {form.values.steps.map((_, at) => (
        // The three steps have a fixed order.
        // oxlint-disable-next-line react/no-array-index-key
        <Fieldset key={at} legend={`Step ${at + 1}`}>
          <LimitedNumberInput
            label="Days after due"
            min={1}
            max={365}
            {...WHOLE}
            withAsterisk
            {...form.getInputProps(`steps.${at}.days`)}
          />
          <TextInput label="Subject" maxLength={200} withAsterisk {...form.getInputProps(`steps.${at}.subject`)} />
          <Textarea
            label="Text above the invoices"
            autosize
            minRows={2}
            maxLength={5000}
            withAsterisk
            {...form.getInputProps(`steps.${at}.message`)}
          />
        </Fieldset>
      ))}
    </Action>
  );
}
