import { Text } from '@mantine/core';
import { useState } from 'react';
import { Refusal, type Issue } from '../../api/refusal';
import { ask, studio } from '../../api/studio';
import type { operations } from '../../generated/studio';
import { Action } from '../../shared/action';
import { fieldsOf, idField, idOf, nameOf, type Row } from './rows';
import { rowOf, typedOf } from './form';
import { RowForm } from './RowForm';
import { SECTIONS, type Section } from './sections';

type Body = NonNullable<operations['putRow']['requestBody']>['content']['application/json'];

const SEEN = 'Clients see it with their next look at the catalogue, at most a minute from now; the next quote is judged by it at once.';
const KEPT = 'Quotes that were given, and orders, keep their prices. Documents printed from now on have the new names of materials.';
const PRICED = 'It can be chosen once a price book has a rate for it; until then quotes with it are refused.';

/** Edits a row of a section; without a row, adds one. */
export function WriteRow({ section, row, rows }: { section: Section; row?: Row; rows: readonly Row[] }) {
  const isNew = row === undefined;
  const fields = fieldsOf(section, row);
  const [form, setForm] = useState(() => typedOf(fields, row));
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const { one } = SECTIONS[section];
  const id = isNew ? String(form[idField(section)] ?? '').trim() : idOf(section, row);
  const isTaken = isNew && rows.some((other) => idOf(section, other) === id);
  const clear = (): void => {
    setForm(typedOf(fields, row));
    setIssues([]);
  };
  const run = async (): Promise<unknown> => {
    setIssues([]);
    const body = rowOf(fields, form) as Body;
    return ask(studio.PUT('/catalogue/{section}/{id}', { params: { path: { section, id } }, body })).catch((error: unknown) => {
      if (error instanceof Refusal) setIssues(error.issues);
      throw error;
    });
  };
  return (
    <Action
      label={isNew ? `Add a ${one}` : 'Edit'}
      {...(isNew ? {} : { to: nameOf(section, row) })}
      title={isNew ? `Add a ${one}` : `Edit ${nameOf(section, row)}`}
      says={isNew ? [SEEN, PRICED] : [SEEN, KEPT]}
      repeats="safely"
      run={run}
      done={() => (isNew ? `${id} is in the catalogue` : `${id} is changed`)}
      ready={id !== '' && !isTaken}
      onOpen={clear}
    >
      {!isNew && <Text className="mono">{id}</Text>}
      <RowForm fields={fields} form={form} change={setForm} issues={issues} isNew={isNew} />
      {isTaken && (
        <Text size="sm" role="alert">
          {id} is there already: edit that row, or take another id.
        </Text>
      )}
    </Action>
  );
}
