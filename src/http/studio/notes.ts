import type { Transaction } from '../../db/database';
import type { AuditEntry } from '../../db/repositories/audit';
import {
  deleteNote,
  findNote,
  hasSubject,
  insertNote,
  listNotes,
  lockSubject,
  pinNote,
  type NoteSubject,
} from '../../db/repositories/notes';
import type { NoteRow } from '../../db/rows';
import { ApiError, notFoundError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { NEW_ID } from '../../domain/order-messages/fields';
import { fieldsOf } from '../../presenters/fields';
import * as json from '../openapi/json';
import { pathId } from '../path-id';
import { messageField } from '../schemas/message-field';
import { type BodyOf, bodySchema, booleanField, optional, textField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { audited } from './support/audited';
import { EXAMPLE_TIME } from './support/examples';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const pinnedField = booleanField().description('true to list the note before the others');

export const noteRequest = bodySchema({
  noteId: messageField(NEW_ID).description('an id of the caller; repeating the request with it is safe'),
  text: textField(1, LIMITS.noteLength).description('the text of the note'),
  pinned: optional(pinnedField),
});

export const notePin = bodySchema({ pinned: pinnedField });

const presentNote = (note: NoteRow) => fieldsOf(note, 'note_id', 'text', 'author', 'pinned', 'created_at');

/** The audited fields of a note, without its text. */
const auditedNote = (note: NoteRow) => fieldsOf(note, 'note_id', 'author', 'pinned');

const NOTE = json.resource<ReturnType<typeof presentNote>>('Note', {
  noteId: [json.string('the id that the caller sent'), 'phone-4711'],
  text: [json.string(), 'Always packs flat'],
  author: [json.string('the name of the token that wrote it'), 'Front desk'],
  pinned: [json.boolean('whether it is listed before the others'), false],
  createdAt: [json.time(), EXAMPLE_TIME],
});

const SUBJECTS = [
  { of: 'order', name: 'Order', idPrefix: 'ord', role: 'floor' },
  { of: 'account', name: 'Account', idPrefix: 'acc', role: 'office' },
] as const;

export const NOTES_ENDPOINTS: readonly StudioEndpointRow[] = SUBJECTS.flatMap(noteEndpoints);

function noteEndpoints({ of, name, idPrefix, role }: (typeof SUBJECTS)[number]): StudioEndpointRow[] {
  const path = `/${of}s/:id/notes`;
  const subjectOf = (request: StudioRequest): NoteSubject => ({ of, id: pathId(request, idPrefix) });
  return [
    {
      method: 'GET',
      path,
      role,
      id: `list${name}Notes`,
      summary: `List the notes on an ${of}`,
      description: `Lists pinned notes first, then the newest, at most ${LIMITS.notesPerSubject}. Clients never see notes.`,
      response: json.list(NOTE),
      handler: async (request: StudioRequest) => getNotes(request, subjectOf(request)),
    },
    {
      method: 'POST',
      path,
      role,
      status: 201,
      body: noteRequest,
      id: `add${name}Note`,
      summary: `Add a note to an ${of}`,
      description: 'Clients never see notes. Repeating the request with the same `noteId` and text is safe.',
      response: NOTE,
      repeatDescription: 'The request was repeated: the response is the existing note.',
      errorCodes: ['NOTE_ID_REUSED', 'NOTE_LIMIT'],
      requestExample: { noteId: 'phone-4711', text: 'Always packs flat' },
      handler: async (request: StudioRequest<BodyOf<typeof noteRequest>>) => postNote(request, subjectOf(request)),
    },
    {
      method: 'PATCH',
      path: `${path}/:noteId`,
      role,
      body: notePin,
      id: `pin${name}Note`,
      summary: `Pin or unpin a note on an ${of}`,
      response: NOTE,
      requestExample: { pinned: true },
      handler: async (request: StudioRequest<BodyOf<typeof notePin>>) => patchNote(request, subjectOf(request)),
    },
    {
      method: 'DELETE',
      path: `${path}/:noteId`,
      role,
      id: `delete${name}Note`,
      summary: `Delete a note on an ${of}`,
      response: NOTE,
      handler: async (request: StudioRequest) => removeNote(request, subjectOf(request)),
    },
  ];
}

async function getNotes({ deps }: StudioRequest, subject: NoteSubject): Promise<HandlerResponse> {
  const [exists, notes] = await deps.database.snapshot((sql) => Promise.all([hasSubject(sql, subject), listNotes(sql, subject)]));
  if (!exists) throw notFoundError(subject.of);
  return { data: notes.map(presentNote) };
}

/** Locks the order or account before its notes: their count is limited, and the search text of an order has one writer at a time. */
function writeNotes<T>(
  request: StudioRequest,
  subject: NoteSubject,
  work: (sql: Transaction, record: (entry: AuditEntry) => Promise<void>) => Promise<T>,
): Promise<T> {
  return audited(request, async (sql, record) => {
    if (!(await lockSubject(sql, subject))) throw notFoundError(subject.of);
    return work(sql, record);
  });
}

async function postNote(request: StudioRequest<BodyOf<typeof noteRequest>>, subject: NoteSubject): Promise<HandlerResponse> {
  const { deps, caller, body } = request;
  return writeNotes(request, subject, async (sql, record) => {
    const notes = await listNotes(sql, subject);
    const existing = notes.find(({ note_id: id }) => id === body.noteId);
    if (existing?.text === body.text) return { data: presentNote(existing), status: 200 };
    if (existing !== undefined)
      throw new ApiError('NOTE_ID_REUSED', `the id ${body.noteId} was used for another note on this ${subject.of}; send a new id`);
    if (notes.length >= LIMITS.notesPerSubject)
      throw new ApiError('NOTE_LIMIT', `this ${subject.of} has ${notes.length} notes, which is the maximum; delete one`);
    const note = { note_id: body.noteId, text: body.text, author: caller.name, pinned: body.pinned ?? false, created_at: deps.clock.now() };
    await insertNote(sql, subject, note);
    await record({ action: 'note.add', subject: subject.id, before: null, after: auditedNote(note) });
    return { data: presentNote(note) };
  });
}

async function patchNote(request: StudioRequest<BodyOf<typeof notePin>>, subject: NoteSubject): Promise<HandlerResponse> {
  const { pinned } = request.body;
  return writeNotes(request, subject, async (sql, record) => {
    const before = requireNote(await findNote(sql, subject, noteIdOf(request)));
    const after = { ...before, pinned };
    if (before.pinned !== pinned) {
      await pinNote(sql, subject, after);
      await record({ action: 'note.pin', subject: subject.id, before: auditedNote(before), after: auditedNote(after) });
    }
    return { data: presentNote(after) };
  });
}

async function removeNote(request: StudioRequest, subject: NoteSubject): Promise<HandlerResponse> {
  return writeNotes(request, subject, async (sql, record) => {
    const note = requireNote(await deleteNote(sql, subject, noteIdOf(request)));
    await record({ action: 'note.delete', subject: subject.id, before: auditedNote(note), after: null });
    return { data: presentNote(note) };
  });
}

const noteIdOf = ({ params }: StudioRequest): string => params['noteId'] ?? '';

function requireNote(note: NoteRow | null): NoteRow {
  if (note === null) throw notFoundError('note');
  return note;
}
