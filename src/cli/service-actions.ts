import { ConfigError, loadConfig, type Config } from '../config';
import { AppRoleProblem, grantAppRole } from '../db/app-role';
import type { Database } from '../db/database';
import { rotateSecrets as rotateStored, type ColumnRotation, type Rotation } from '../db/rotate-secrets';
import { seed } from '../db/seed';
import { demoSettings, playDemo } from '../../scripts/demo';
import { DemoProblem } from '../../scripts/demo/http';
import { tradeDocument } from '../http/openapi/trade';
import { studioDocument } from '../http/openapi/studio';
import { SecretBox } from '../security/secret-box';
import type { Temporal } from '../temporal';
import { setCurrentVersion } from '../temporal/deployment';
import { registerSearchAttributes } from '../temporal/search-attributes';
import { ReconcileProblem } from '../reconcile';
import { knownNumbers, reconcileOnce, reconcileReport } from './reconcile';
import { createAdminToken, TokenProblem } from './tokens';
import { CannotReach, reachDatabase, reachTemporal, withTemporal } from './reaching';
import type * as Replay from './replay';

type Say = (line: string) => void;

/** What a person at the terminal can act on; anything else keeps its stack. */
const PROBLEMS = [ConfigError, DemoProblem, AppRoleProblem, TokenProblem, ReconcileProblem, CannotReach];
export const isProblem = (error: unknown): error is Error => PROBLEMS.some((problem) => error instanceof problem);

/** `trade-print migrate`. @throws CannotReach, AppRoleProblem */
export function migrate(appRole: string | undefined, say: Say): Promise<void> {
  return withDatabase(async (database, config) => {
    const applied = await database.migrate({ onWait: say });
    say(applied.length === 0 ? 'the database is up to date' : `applied ${applied.join(', ')}`);
    if (appRole !== undefined) await giveAppRole(database, appRole, config.databaseAppPassword, say);
    await withTemporal(config, (temporal) => reachTemporal(config.temporal, () => prepareTemporal(temporal, config.temporal.buildId, say)));
  });
}

async function prepareTemporal({ client }: Temporal, buildId: string | null, say: Say): Promise<void> {
  say(`search attributes registered: ${(await registerSearchAttributes(client)).join(', ')}`);
  if (buildId === null) return;
  await setCurrentVersion(client, buildId);
  say(`Temporal gives new tasks to the workers of build ${buildId} once one polls`);
}

async function giveAppRole(database: Database, appRole: string, password: string | null, say: Say): Promise<void> {
  const { isNew } = await grantAppRole(database, appRole, password);
  say(`the processes may work as ${appRole}`);
  if (isNew && password === null)
    say(
      `${appRole} is new and has no password yet: set DATABASE_APP_PASSWORD and run this again, or give it one with psql: \\password ${appRole}`,
    );
}

/** `trade-print seed`. @throws CannotReach */
export function putSeed(say: Say): Promise<void> {
  return withDatabase(async (database) => {
    await seed(database, new Date());
    say('catalogue, price book and settings are in place');
  });
}

/** `trade-print secrets rotate`; false when some secret is not under the first key afterwards. @throws CannotReach */
export function rotateSecrets(say: Say): Promise<boolean> {
  return withDatabase(async (database, { secretsKeys }) => {
    const box = new SecretBox(secretsKeys);
    const rotation = await rotateStored(database, box);
    for (const column of rotation.columns) say(counts(column));
    const unreadable = rotation.columns.flatMap((column) => column.unreadable);
    for (const each of unreadable) say(each);
    say(conclusion(rotation, box.keyId));
    return unreadable.length === 0 && rotation.otherKeyIds.length === 0;
  });
}

function counts({ column, encrypted, moved, asTheyWere, unreadable }: ColumnRotation): string {
  return `${column}: ${encrypted} encrypted that were in clear, ${moved} moved from another key, ${asTheyWere} as they were, ${unreadable.length} not readable`;
}

function conclusion({ otherKeyIds, columns }: Rotation, keyId: string): string {
  const unreadable = columns.reduce((sum, column) => sum + column.unreadable.length, 0);
  if (otherKeyIds.length === 0 && unreadable > 0)
    return `${unreadable} not readable, and nobody knows which key they need: keep all of SECRETS_KEY; once they are mended, run this again`;
  if (otherKeyIds.length === 0) return `no secret needs another key than ${keyId}: the others can leave SECRETS_KEY`;
  return `some secrets still need ${otherKeyIds.join(', ')}: keep it in SECRETS_KEY; once every process has ${keyId} as its first key, run this again`;
}

/** `trade-print tokens create-admin`. @throws CannotReach, TokenProblem */
export function printAdminToken(options: { name: string; force: boolean }, say: Say): Promise<void> {
  return withDatabase(async (database) => say(await createAdminToken(database, { ...options, now: new Date() })));
}

export interface ReconcileFlags {
  dryRun: boolean;
  json: boolean;
  restored: boolean;
  givenOutLive: string[];
  givenOutTest: string[];
}

/** `trade-print reconcile`; false when something could not be mended. @throws CannotReach, ReconcileProblem */
export async function reconcileAndTell({ dryRun, json, restored, givenOutLive, givenOutTest }: ReconcileFlags, say: Say): Promise<boolean> {
  const givenOut = [...knownNumbers(givenOutLive, 'live'), ...knownNumbers(givenOutTest, 'test')];
  const reconciled = await reconcileOnce(loadConfig(), { dryRun, restored, givenOut });
  say(json ? JSON.stringify({ dryRun, ...reconciled }, null, 2) : reconcileReport(reconciled, dryRun));
  return dryRun || reconciled.findings.every(({ mended }) => mended);
}

/** `trade-print replay`; false when a history does not replay. @throws CannotReach, CommandProblem */
export async function replayAndTell(flags: Replay.ReplayFlags, say: Say): Promise<boolean> {
  // Loads the SDK's worker, which the other commands do without.
  const { replay, replayReport } = require('./replay') as typeof Replay;
  const replayed = await withTemporal(loadConfig(), (temporal) => replay(temporal, flags));
  for (const line of replayReport(replayed)) say(line);
  return replayed.every(({ failures }) => failures.length === 0);
}

/** `trade-print demo`. @throws DemoProblem */
export async function demo(say: Say): Promise<void> {
  await playDemo(demoSettings(process.env, say));
}

export async function printDocument(api: string, say: Say): Promise<void> {
  say(JSON.stringify(api === 'trade' ? tradeDocument(process.env.PUBLIC_BASE_URL) : studioDocument(), null, 2));
}

async function withDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const database = await reachDatabase(config.databaseUrl, 2);
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}
