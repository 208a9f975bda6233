import { Anchor, Group, TextInput } from '@mantine/core';
import { callApi, callApiPage, type Schema, studio } from '../../api/studio';
import { Action, useActionForm } from '../../shared/action';
import { type Column, ListTable, useList } from '../../shared/list';
import { Panel } from '../../shared/layout';
import { CredentialStatus } from '../../shared/secret';
import { Time } from '../../shared/time';

type Badge = Schema<'Badge'>;

const COLUMNS: readonly Column<Badge>[] = [
  { heading: 'Person', wrap: true, cell: ({ name }) => name },
  { heading: 'Code', cell: ({ code }) => <span className="mono">{code}</span> },
  { heading: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { heading: 'Status', cell: ({ revokedAt }) => <CredentialStatus of={{ revokedAt, expiresAt: null }} /> },
  {
    heading: '',
    cell: (badge) =>
      badge.revokedAt === null && (
        <Group gap="xs" justify="flex-end">
          <Anchor href={`/studio/v1/badges/${badge.id}/badge.pdf`} target="_blank" size="sm">
            Print (PDF)
          </Anchor>
          <RevokeBadge badge={badge} />
        </Group>
      ),
    right: true,
  },
];

/** The badges of the people at stations. */
export function Badges() {
  const list = useList(['badges'], (cursor) => callApiPage(studio.GET('/badges', { params: { query: { cursor } } })));
  return (
    <Panel title="Badges" beside={<CreateBadge />}>
      <ListTable<Badge> label="Badges" noun="badge" list={list} keyOf={({ id }) => id} columns={COLUMNS} empty="No badges yet" />
    </Panel>
  );
}

function CreateBadge() {
  const form = useActionForm(
    () => ({ person: '' }),
    ({ person }) => ({ person: person.trim() === '' && 'Enter a name' }),
  );
  const name = form.values.person.trim();
  return (
    <Action
      label="Create badge"
      consequences={['A station that scans it records steps in the name of this person. It gives no rights.']}
      run={() => callApi(studio.POST('/badges', { body: { name } }))}
      toast={() => `Badge created for ${name}`}
      {...form.action}
    >
      <TextInput
        label="Person"
        description="Timelines and the audit log show this name."
        {...form.field('person')}
        required
        data-autofocus
      />
    </Action>
  );
}

function RevokeBadge({ badge: { id, name, code } }: { badge: Badge }) {
  return (
    <Action
      label="Revoke"
      target={`badge of ${name}, ${code}`}
      title={`Revoke the badge of ${name}`}
      consequences={['Stations refuse it from now on. Timelines and the audit log keep the name. You cannot undo this.']}
      retry="safe"
      run={() => callApi(studio.DELETE('/badges/{id}', { params: { path: { id } } }))}
      toast={() => `Badge of ${name} revoked`}
      danger
    />
  );
}
