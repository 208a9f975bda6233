import { ConfigError, loadConfig, type Config, type TemporalConfig } from '../config/config';
import { AppRoleError, grantAppRole } from '../db/app-role';
import { DatabaseUnreachable, openDatabase, PoolerError, type Database } from '../db/database';
import { rotateSecrets as rotateStored, type ColumnRotation, type Rotation } from '../db/rotate-secrets';
import { seed } from '../db/seed';
import { readDemoSettings, runDemoJob } from '../../scripts/demo';
import { DemoError } from '../../scripts/demo/http';
import { tradeDocument } from '../http/openapi/trade';
import { studioDocument } from '../http/openapi/studio';
import { SecretBox } from '../security/secret-box';
import type { Temporal } from '../temporal';
import { setCurrentVersion } from '../temporal/deployment';
import { registerSearchAttributes, registrationCommands, SEARCH_ATTRIBUTE_NAMES } from '../temporal/search-attributes';
import { ReconcileError } from '../reconcile';
import { assertIssuedNumbers, reconcileWithConfig, formatReconcileResult } from './reconcile';
import { createAdminToken, TokenError } from './tokens';
import { UnreachableError, withConnectionErrors, withTemporal } from './connections';
import type * as Replay from './replay';
import type { Terminal } from './terminal';

type PrintLine = (line: string) => void;

/** Settings of the command, and its output. */
export interface CommandContext {
  env: Terminal['env'];
  printLine: PrintLine;
}

/** Search attributes are missing, and the server allows only its operators to register them. */
class SearchAttributesError extends Error {}

/** Errors that a person at the terminal can act on; others print their stack. */
const EXPECTED_ERRORS = [
  ConfigError,
  DatabaseUnreachable,
  DemoError,
  AppRoleError,
  PoolerError,
  TokenError,
  ReconcileError,
  SearchAttributesError,
  UnreachableError,
];
export const isExpectedError = (error: unknown): error is Error => EXPECTED_ERRORS.some((problem) => error instanceof problem);

/** `trade-print migrate`. @throws DatabaseUnreachable, UnreachableError, AppRoleError */
export function migrate(appRole: string | undefined, { env, printLine }: CommandContext): Promise<void> {
  return withDatabase(env, async (database, config) => {
    const applied = await database.migrate({ onWait: printLine });
    printLine(applied.length === 0 ? 'the database is up to date' : `applied ${applied.join(', ')}`);
    if (appRole !== undefined) await grantRole(database, appRole, config.databaseAppPassword, printLine);
    await withTemporal(config, (temporal) => prepareTemporal(temporal, config.temporal, printLine));
  });
}

async function prepareTemporal({ client }: Temporal, config: TemporalConfig, printLine: PrintLine): Promise<void> {
  const missing = await withConnectionErrors(config, () => registerSearchAttributes(client));
  if (missing.length > 0)
    throw new SearchAttributesError(
      `namespace ${config.namespace} lacks the search attributes ${missing.join(', ')}, which only Temporal's operators can register; let one run this, then migrate again:\n` +
        registrationCommands(config.namespace, missing),
    );
  printLine(`search attributes registered: ${SEARCH_ATTRIBUTE_NAMES.join(', ')}`);
  const { buildId } = config;
  if (buildId === null) return;
  await withConnectionErrors(config, () => setCurrentVersion(client, buildId));
  printLine(`Temporal sends new tasks to workers of build ${buildId} after the first one polls`);
}

async function grantRole(database: Database, appRole: string, password: string | null, printLine: PrintLine): Promise<void> {
  const { isNew } = await grantAppRole(database, appRole, password);
  printLine(`the role ${appRole} has the permissions of the processes`);
  if (isNew && password === null)
    printLine(
      `the new role ${appRole} has no password: set DATABASE_APP_PASSWORD and run this again, or set one with psql: \\password ${appRole}`,
    );
}

/** `trade-print seed`. @throws DatabaseUnreachable */
export function seedDatabase({ env, printLine }: CommandContext): Promise<void> {
  return withDatabase(env, async (database) => {
    await seed(database, new Date());
    printLine('the catalogue, the price book and the settings exist');
  });
}

/** `trade-print secrets rotate`; false if a secret does not use the first key afterwards. @throws DatabaseUnreachable */
export function rotateSecrets({ env, printLine }: CommandContext): Promise<boolean> {
  return withDatabase(env, async (database, { secretsKeys }) => {
    const box = new SecretBox(secretsKeys);
    const rotation = await rotateStored(database, box);
    for (const column of rotation.columns) printLine(formatColumnRotation(column));
    const unreadable = rotation.columns.flatMap((column) => column.unreadable);
    for (const message of unreadable) printLine(message);
    printLine(formatConclusion(rotation, box.keyId));
    return unreadable.length === 0 && rotation.otherKeyIds.length === 0;
  });
}

function formatColumnRotation({ column, encrypted, moved, unchanged, unreadable }: ColumnRotation): string {
  return `${column}: ${encrypted} newly encrypted, ${moved} moved from another key, ${unchanged} unchanged, ${unreadable.length} unreadable`;
}

function formatConclusion({ otherKeyIds, columns }: Rotation, keyId: string): string {
  const unreadable = columns.reduce((sum, column) => sum + column.unreadable.length, 0);
  if (unreadable > 0) return `${unreadable} unreadable: keep all keys of SECRETS_KEY, repair these secrets, then run this again`;
  if (otherKeyIds.length === 0) return `all secrets use the key ${keyId}: remove the other keys from SECRETS_KEY`;
  return `some secrets still need ${otherKeyIds.join(', ')}: keep it in SECRETS_KEY; when every process has ${keyId} as its first key, run this again`;
}

/** `trade-print tokens create-admin`. @throws DatabaseUnreachable, TokenError */
export function createAndPrintAdminToken(options: { name: string; force: boolean }, { env, printLine }: CommandContext): Promise<void> {
  return withDatabase(env, async (database) => printLine(await createAdminToken(database, { ...options, now: new Date() })));
}

export interface ReconcileFlags {
  dryRun: boolean;
  json: boolean;
  restored: boolean;
  issuedLive: string[];
  issuedTest: string[];
}

/** `trade-print reconcile`; false if a finding could not be repaired. @throws DatabaseUnreachable, UnreachableError, ReconcileError, CommandFailure */
export async function runReconcile(
  { dryRun, json, restored, issuedLive, issuedTest }: ReconcileFlags,
  { env, printLine }: CommandContext,
): Promise<boolean> {
  const issuedNumbers = [...assertIssuedNumbers(issuedLive, 'live'), ...assertIssuedNumbers(issuedTest, 'test')];
  const result = await reconcileWithConfig(loadConfig(env), { dryRun, restored, issuedNumbers });
  printLine(json ? JSON.stringify({ dryRun, ...result }, null, 2) : formatReconcileResult(result, dryRun));
  return dryRun || result.findings.every(({ repaired }) => repaired);
}

/** `trade-print replay`; false if a history does not replay. @throws UnreachableError, CommandFailure */
export async function runReplay(flags: Replay.ReplayFlags, { env, printLine }: CommandContext): Promise<boolean> {
  // Loads the SDK's worker, which other commands do not need.
  const { replay, formatReplay } = require('./replay') as typeof Replay;
  const replayed = await withTemporal(loadConfig(env), (temporal) => replay(temporal, flags));
  for (const line of formatReplay(replayed)) printLine(line);
  return replayed.every(({ failures }) => failures.length === 0);
}

/** `trade-print demo`. @throws DemoError */
export async function runDemo({ env, printLine }: CommandContext): Promise<void> {
  await runDemoJob(readDemoSettings(env, printLine));
}

export async function printOpenApiDocument(api: string, { env, printLine }: CommandContext): Promise<void> {
  printLine(JSON.stringify(api === 'trade' ? tradeDocument(env.PUBLIC_BASE_URL) : studioDocument(), null, 2));
}

async function withDatabase<T>(env: CommandContext['env'], work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig(env);
  const database = await openDatabase(config.databaseDirectUrl, 2);
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}
