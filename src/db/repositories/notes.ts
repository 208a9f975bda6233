import type { Sql, Transaction } from '../database';
import { NOTE_COLUMNS, type NoteRow } from '../rows';

/** The order or the account that a note is about. */
export interface NoteSubject {
  of: 'order' | 'account';
  id: string;
}

/** SQL over `notes`: those on the order or account `$1`. */
const isOn = ({ of }: NoteSubject): string => `${of}_id = $1`;

export function hasSubject(sql: Sql, { of, id }: NoteSubject): Promise<boolean> {
  return sql.exists(`SELECT 1 FROM ${of}s WHERE id = $1`, [id]);
}

/** Locks the order or account until the transaction ends; false if there is none. Rows that refer to it stay writable. */
export function lockSubject(sql: Transaction, { of, id }: NoteSubject): Promise<boolean> {
  return sql.exists(`SELECT 1 FROM ${of}s WHERE id = $1 FOR NO KEY UPDATE`, [id]);
}

/** Pinned notes first, then the newest. */
export function listNotes(sql: Sql, subject: NoteSubject): Promise<NoteRow[]> {
  return sql.rows(`SELECT ${NOTE_COLUMNS.list} FROM notes WHERE ${isOn(subject)} ORDER BY pinned DESC, id DESC`, [subject.id]);
}

export async function insertNote(sql: Sql, subject: NoteSubject, note: NoteRow): Promise<void> {
  const { note_id, text, author, pinned, created_at } = note;
  await sql.run(`INSERT INTO notes (${subject.of}_id, ${NOTE_COLUMNS.list}) VALUES ($1, $2, $3, $4, $5, $6)`, [
    subject.id,
    note_id,
    text,
    author,
    pinned,
    created_at,
  ]);
}

export function findNote(sql: Sql, subject: NoteSubject, noteId: string): Promise<NoteRow | null> {
  return sql.row(`SELECT ${NOTE_COLUMNS.list} FROM notes WHERE ${isOn(subject)} AND note_id = $2`, [subject.id, noteId]);
}

export async function pinNote(sql: Sql, subject: NoteSubject, { note_id, pinned }: NoteRow): Promise<void> {
  await sql.run(`UPDATE notes SET pinned = $3 WHERE ${isOn(subject)} AND note_id = $2`, [subject.id, note_id, pinned]);
}

/** Returns the deleted note; null if there is none. */
export function deleteNote(sql: Sql, subject: NoteSubject, noteId: string): Promise<NoteRow | null> {
  return sql.row(`DELETE FROM notes WHERE ${isOn(subject)} AND note_id = $2 RETURNING ${NOTE_COLUMNS.list}`, [subject.id, noteId]);
}
