import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { inForce, type Summary } from './books';
import { readDraft, taking, useDraft, type Draft } from './draft';
import { DraftChanges } from './DraftChanges';
import { Publish } from './Publish';
import { StartDraft } from './StartDraft';
import { Trial } from './Trial';

/** A draft: taken from a book or a file, changed as text, tried on recent quotes, published. Nothing that was typed is lost. */
export function DraftDesk({ books }: { books: readonly Summary[] }) {
  const [draft, setDraft] = useDraft();
  const current = inForce(books)?.version;
  const read = readDraft(draft.text);
  const take = (text: string, from: string): void => setDraft(taking(draft, { text, from }));
  return (
    <Stack>
      <StartDraft books={books} take={take} />
      <Before draft={draft} setDraft={setDraft} />
      <Textarea
        label={draft.from === '' ? 'The draft' : `The draft, from ${draft.from}`}
        description="Kept in this tab, for you alone, until it is published: leaving this screen, a refusal or a sign-in that runs out loses nothing. Signing out deletes it. Rates are whole cents, shares hundredths of a per cent."
        value={draft.text}
        onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value, isTyped: true })}
        rows={16}
        spellCheck={false}
        error={draft.text.trim() !== '' && 'problem' in read ? read.problem : undefined}
        classNames={{ input: 'mono' }}
      />
      {'problem' in read ? (
        draft.text.trim() === '' && <Text size="sm">{read.problem}</Text>
      ) : (
        <>
          {current !== undefined && <DraftChanges book={read.book} current={current} />}
          <Trial book={read.book} />
          <Publish read={read} books={books} published={() => setDraft({ ...draft, text: '', from: '', isTyped: false })} />
        </>
      )}
    </Stack>
  );
}

/** Drafts that another took the place of: none is lost until somebody says so. */
function Before({ draft, setDraft }: { draft: Draft; setDraft: (draft: Draft) => void }) {
  const { before } = draft;
  if (before.length === 0) return null;
  const without = (at: number): Draft => ({ ...draft, before: before.filter((_, other) => other !== at) });
  return (
    <Alert title="What stood here before is kept" role="status">
      {before.map((written, at) => (
        // Two of them can be the same text.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={at} gap="xs">
          <Text size="sm">A draft from {written.from || 'what was typed'}</Text>
          <Button size="xs" variant="default" onClick={() => setDraft({ ...taking(without(at), written), isTyped: true })}>
            Bring it back
          </Button>
          <Button size="xs" variant="default" onClick={() => setDraft(without(at))}>
            Forget it
          </Button>
        </Group>
      ))}
    </Alert>
  );
}
