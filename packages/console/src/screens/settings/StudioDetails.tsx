import { Alert, Table, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { Action } from '../../shared/action';
import { Section } from '../../shared/section';
import { settingsQuery } from '../../shared/settings';
import { Refused, Waiting } from '../../shared/told';

type Details = NonNullable<Of<'Settings'>['studio']>;
const NONE: Details = { name: '', abn: '', address: '', bank: '' };
const FIELDS = [
  { name: 'name', label: 'Name', help: 'As it stands at the top of every document.', lines: 1 },
  { name: 'abn', label: 'ABN', help: 'Eleven digits.', lines: 1 },
  { name: 'address', label: 'Address', help: 'With its lines.', lines: 3 },
  { name: 'bank', label: 'Bank account', help: 'Where invoices are to be paid, with its lines.', lines: 3 },
] as const;

export function StudioDetails() {
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  return (
    <Section title="The studio on its documents">
      {error !== null && <Refused error={error} retry={() => void refetch()} />}
      {settings === undefined ? error === null && <Waiting what="Reading the settings" /> : <Told details={settings.studio} />}
    </Section>
  );
}

function Told({ details }: { details: Details | null }) {
  return (
    <>
      {details === null ? (
        <Alert color="yellow" title="Nothing was told yet">
          Until it is, invoices say that they are no tax invoice, and have no bank account to pay to.
        </Alert>
      ) : (
        <Table aria-label="The studio on its documents" maw={640}>
          <Table.Tbody>
            {FIELDS.map(({ name, label }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td style={{ whiteSpace: 'pre-line' }}>{details[name]}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <div>
        <ChangeDetails present={details ?? NONE} />
      </div>
    </>
  );
}

function ChangeDetails({ present }: { present: Details }) {
  const [details, setDetails] = useState(present);
  return (
    <Action
      label="Change"
      to="what stands on documents"
      title="Change what stands on documents"
      says={[
        'From the next invoice on, each has what stands here on the day it is issued. Invoices and credit notes that were issued stay as they are.',
        'Packing slips and statements have it at once.',
      ]}
      repeats="safely"
      run={() => ask(studio.PATCH('/settings', { body: { studio: details } }))}
      done={() => 'Documents have the new details from now on'}
      ready={Object.values(details).every((text) => text.trim() !== '')}
      onOpen={() => setDetails(present)}
    >
      {(issues) => (
        <>
          {FIELDS.map(({ name, label, help, lines }) => {
            const said = issues.filter(({ path }) => path === `studio.${name}`).map(({ message }) => message);
            const shared = {
              label,
              description: help,
              required: true,
              value: details[name],
              error: said.length > 0 ? said.join('; ') : undefined,
            };
            const set = (text: string): void => setDetails({ ...details, [name]: text });
            if (lines === 1) return <TextInput key={name} {...shared} onChange={(event) => set(event.currentTarget.value)} />;
            return <Textarea key={name} {...shared} minRows={lines} onChange={(event) => set(event.currentTarget.value)} />;
          })}
          <Text size="sm">No client is told of the change by itself.</Text>
        </>
      )}
    </Action>
  );
}
