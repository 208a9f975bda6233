import { type Carrier, DEFAULT_CARRIERS } from '../../domain/carriers';
import { DEFAULT_LABEL_PROGRAM, type LabelProgram } from '../../domain/label-program';
import type { ReminderStep } from '../../domain/pricing/reminders';
import { NO_STAGES, type UsedStages } from '../../domain/stages';
import type { Sql } from '../database';

const SELECT_CRITICAL_RUSH = `SELECT value = 'true'::jsonb FROM settings WHERE name = 'criticalRushEnabled'`;

/** The studio's switch for critical rush; off if it was never set. */
export async function readCriticalRush(sql: Sql): Promise<boolean> {
  return (await sql.value<boolean | null>(SELECT_CRITICAL_RUSH)) ?? false;
}

/** Stores the switch as off if it was never set. */
export async function initialiseCriticalRush(sql: Sql): Promise<void> {
  await sql.run(`INSERT INTO settings (name, value, updated_at) VALUES ('criticalRushEnabled', 'false', now()) ON CONFLICT DO NOTHING`);
}

/** Locks the switch until the transaction ends, then reads it. */
export async function lockCriticalRush(sql: Sql): Promise<boolean> {
  await initialiseCriticalRush(sql);
  return sql.value(`${SELECT_CRITICAL_RUSH} FOR UPDATE`);
}

export async function writeCriticalRush(sql: Sql, enabled: boolean, now: Date): Promise<void> {
  await writeSetting(sql, 'criticalRushEnabled', enabled, now);
}

export async function readUsedStages(sql: Sql): Promise<UsedStages> {
  return (await sql.value<UsedStages | null>(`SELECT (SELECT value FROM settings WHERE name = 'stages')`)) ?? NO_STAGES;
}

export async function writeUsedStages(sql: Sql, stages: UsedStages, now: Date): Promise<void> {
  await writeSetting(sql, 'stages', stages, now);
}

/** Stores the steps of the reminders. */
export async function writeReminderSteps(sql: Sql, steps: readonly ReminderStep[], now: Date): Promise<void> {
  await writeSetting(sql, 'reminders', steps, now);
}

/** The carriers, also before an admin changes them. */
export async function readCarriers(sql: Sql): Promise<readonly Carrier[]> {
  return (await sql.value<Carrier[] | null>(`SELECT (SELECT value FROM settings WHERE name = 'carriers')`)) ?? DEFAULT_CARRIERS;
}

export async function writeCarriers(sql: Sql, carriers: readonly Carrier[], now: Date): Promise<void> {
  await writeSetting(sql, 'carriers', carriers, now);
}

/** The columns of the label program's files, also before an admin changes them. */
export async function readLabelProgram(sql: Sql): Promise<LabelProgram> {
  return (await sql.value<LabelProgram | null>(`SELECT (SELECT value FROM settings WHERE name = 'labelProgram')`)) ?? DEFAULT_LABEL_PROGRAM;
}

export async function writeLabelProgram(sql: Sql, program: LabelProgram, now: Date): Promise<void> {
  await writeSetting(sql, 'labelProgram', program, now);
}

/** A text that is encrypted with the current key of Temporal's payloads. `keyId` is null if payloads are no longer encrypted. */
export interface CodecCheck {
  keyId: string | null;
  /** The encrypted text in Base64. */
  sealed: string;
}

/** Null if payloads were never encrypted. */
export function readCodecCheck(sql: Sql): Promise<CodecCheck | null> {
  return sql.value(`SELECT value FROM settings WHERE name = 'temporalCodec'`);
}

export async function writeCodecCheck(sql: Sql, check: CodecCheck, now: Date): Promise<void> {
  await writeSetting(sql, 'temporalCodec', check, now);
}

async function writeSetting(sql: Sql, name: string, value: unknown, now: Date): Promise<void> {
  await sql.run(
    `INSERT INTO settings (name, value, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value, updated_at = EXCLUDED.updated_at`,
    [name, JSON.stringify(value), now],
  );
}
