import { Badge, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type BodyOf, callApi, type Schema, studio } from '../api/studio';
import { Action, useActionForm } from './action';
import { EmptyState, Loaded } from './feedback';
import { Panel } from './layout';
import { Time } from './time';
import { personName } from './words';

type Note = Schema<'Note'>;
type NewNote = BodyOf<'addOrderNote'>;

const pathOf = (id: string, { noteId }: Note) => ({ path: { id, noteId } });
const API = {
  orders: {
    list: (id: string) => callApi(studio.GET('/orders/{id}/notes', { params: { path: { id } } })),
    add: (id: string, body: NewNote) => callApi(studio.POST('/orders/{id}/notes', { params: { path: { id } }, body })),
    pin: (id: string, note: Note, pinned: boolean) =>
      callApi(studio.PATCH('/orders/{id}/notes/{noteId}', { params: pathOf(id, note), body: { pinned } })),
    remove: (id: string, note: Note) => callApi(studio.DELETE('/orders/{id}/notes/{noteId}', { params: pathOf(id, note) })),
  },
  accounts: {
    list: (id: string) => callApi(studio.GET('/accounts/{id}/notes', { params: { path: { id } } })),
    add: (id: string, body: NewNote) => callApi(studio.POST('/accounts/{id}/notes', { params: { path: { id } }, body })),
    pin: (id: string, note: Note, pinned: boolean) =>
      callApi(studio.PATCH('/accounts/{id}/notes/{noteId}', { params: pathOf(id, note), body: { pinned } })),
    remove: (id: string, note: Note) => callApi(studio.DELETE('/accounts/{id}/notes/{noteId}', { params: pathOf(id, note) })),
  },
};

interface Subject {
  of: keyof typeof API;
  id: string;
}

/** The studio's notes on an order or an account. */
export function Notes({ of, id }: Subject) {
  const query = useQuery({ queryKey: ['notes', id], queryFn: () => API[of].list(id) });
  return (
    <Panel title="Notes" beside={<AddNote of={of} id={id} />}>
      <Loaded query={query} what="Loading the notes">
        {(notes) =>
          notes.length === 0 ? (
            <EmptyState>No notes</EmptyState>
          ) : (
            <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {notes.map((note) => (
                <NoteItem key={note.noteId} of={of} id={id} note={note} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Panel>
  );
}

function AddNote({ of, id }: Subject) {
  const form = useActionForm(
    () => ({ text: '', pinned: false }),
    ({ text }) => ({ text: text.trim() === '' && 'Enter a note' }),
  );
  const { text, pinned } = form.values;
  return (
    <Action
      label="Add note"
      consequences={['The studio sees it. Clients never do.']}
      subject={id}
      run={(noteId) => API[of].add(id, { noteId, text: text.trim(), pinned })}
      find={async (noteId) => (await API[of].list(id)).some((note) => note.noteId === noteId)}
      toast={() => 'Note added'}
      {...form.action}
    >
      <Textarea label="Note" autosize minRows={3} required maxLength={2000} data-autofocus {...form.field('text')} />
      <Checkbox label="Pin above other notes" {...form.getInputProps('pinned', { type: 'checkbox' })} />
    </Action>
  );
}

function NoteItem({ of, id, note }: Subject & { note: Note }) {
  const { text, author, pinned, createdAt } = note;
  const label = pinned ? 'Unpin' : 'Pin';
  return (
    <li>
      <Text size="sm" className="wraps" style={{ whiteSpace: 'pre-line' }}>
        {text}
      </Text>
      <Group gap="xs" mt={2}>
        {pinned && (
          <Badge variant="default" tt="none" fw={500} size="sm">
            Pinned
          </Badge>
        )}
        <Text size="sm">
          {personName(author)} · <Time at={createdAt} />
        </Text>
        <Action
          key={label}
          label={label}
          target="note"
          title={`${label} note`}
          consequences={[pinned ? 'The note is listed by its time again.' : 'Pinned notes come first.']}
          retry="safe"
          run={() => API[of].pin(id, note, !pinned)}
          toast={() => `Note ${label.toLowerCase()}ned`}
          button={{ size: 'compact-xs' }}
        />
        <Action
          label="Delete"
          target="note"
          title="Delete note"
          consequences={['You cannot undo this.']}
          retry="safe"
          run={() => API[of].remove(id, note)}
          toast={() => 'Note deleted'}
          danger
          button={{ size: 'compact-xs' }}
        />
      </Group>
    </li>
  );
}
