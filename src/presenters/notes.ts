import type { NoteRow } from '../db/rows';
import { fieldsOf } from './fields';

export const presentNote = (note: NoteRow) => fieldsOf(note, 'note_id', 'text', 'author', 'pinned', 'created_at');

/** The audited fields of a note, without its text. */
export const auditedNote = (note: NoteRow) => fieldsOf(note, 'note_id', 'author', 'pinned');
