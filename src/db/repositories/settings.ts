import { type Carrier, DEFAULT_CARRIERS } from '../../domain/carriers';
import { DEFAULT_LABEL_PROGRAM, type LabelProgram } from '../../domain/label-program';
import { DEFAULT_STEPS, type ReminderStep } from '../../domain/pricing/reminders';
import { NO_STAGES, type UsedStages } from '../../domain/stages';
import { advisoryLockId } from '../../security/fingerprint';
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
  await storeSetting(sql, 'criticalRushEnabled', enabled, now);
}

/** A text that is encrypted with the current key of Temporal's payloads. `keyId` is null if payloads are no longer encrypted. */
export interface CodecCheck {
  keyId: string | null;
  /** The encrypted text in Base64. */
  sealed: string;
}

export interface Settings {
  stages: UsedStages;
  reminders: readonly ReminderStep[];
  carriers: readonly Carrier[];
  /** The columns of the label program's files. */
  labelProgram: LabelProgram;
  /** Null if payloads were never encrypted. */
  temporalCodec: CodecCheck | null;
}

/** Until an admin changes them. */
const DEFAULTS: Settings = {
  stages: NO_STAGES,
  reminders: DEFAULT_STEPS,
  carriers: DEFAULT_CARRIERS,
  labelProgram: DEFAULT_LABEL_PROGRAM,
  temporalCodec: null,
};

export async function readSetting<N extends keyof Settings>(sql: Sql, name: N): Promise<Settings[N]> {
  return (await sql.value<Settings[N] | null>('SELECT (SELECT value FROM settings WHERE name = $1)', [name])) ?? DEFAULTS[name];
}

/** Locks a setting until the transaction ends, also one that was never written. */
export function lockSetting(sql: Sql, name: keyof Settings): Promise<void> {
  return sql.run(`SELECT pg_advisory_xact_lock(${advisoryLockId(`setting\n${name}`)})`);
}

export async function writeSetting<N extends keyof Settings>(sql: Sql, name: N, value: Settings[N], now: Date): Promise<void> {
  await storeSetting(sql, name, value, now);
}

async function storeSetting(sql: Sql, name: string, value: unknown, now: Date): Promise<void> {
  await sql.run(
    `INSERT INTO settings (name, value, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value, updated_at = EXCLUDED.updated_at`,
    [name, JSON.stringify(value), now],
  );
}
