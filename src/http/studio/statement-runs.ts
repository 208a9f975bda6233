import { findCurrentSeller } from '../../db/repositories/sellers';
import { NO_SEND_REFERENCES } from '../../db/repositories/sends';
import {
  changeRunState,
  completeRun,
  findAccountsWithBalance,
  findRun,
  findRunBySenderId,
  insertRun,
  insertSends,
  listRuns,
  type CountedRun,
} from '../../db/repositories/statement-runs';
import type { SendRow } from '../../db/rows';
import { canonicalJson } from '../../domain/canonical-json';
import { ApiError } from '../../domain/errors';
import { NEW_ID } from '../../domain/order-messages/fields';
import { runKey, STATEMENT_RUN_STATES } from '../../domain/sends';
import { draftStatement } from '../../mail/documents';
import { presentRun } from '../../presenters/sends';
import { sha256 } from '../../security/fingerprint';
import { newId } from '../../security/ids';
import * as json from '../openapi/json';
import { afterChange } from '../overload';
import { pathId, requireFound } from '../path-id';
import { cursorByAge } from '../paging';
import { messageField } from '../schemas/message-field';
import { type BodyOf, bodySchema, optional } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { audited } from './support/audited';
import { periodOfBody } from './statement';
import { EXAMPLE_TIME } from './support/examples';
import { dayField } from './support/fields';
import { defineList } from './support/lists';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const statementRunRequest = bodySchema({
  runId: messageField(NEW_ID).description('an id of your choice for the run'),
  periodFrom: optional(dayField()).description('the first day of the statements; the default is the first of the month'),
  periodTo: optional(dayField()).description('the last day of the statements; the default is today'),
});

type Run = ReturnType<typeof presentRun>;

const STATEMENT_RUN = json.resource<Run>('StatementRun', {
  id: [json.id('run'), 'run_5d20'],
  runId: [json.string("the caller's id"), 'march-2026'],
  periodFrom: [json.date('the first day of the statements'), '2026-03-01'],
  periodTo: [json.date('the last day of the statements'), '2026-03-31'],
  state: [json.openEnum(STATEMENT_RUN_STATES, 'completed: no mail is pending; each was sent, refused or skipped'), 'running'],
  accounts: [json.integer('the number of accounts'), 42],
  pending: [json.integer('the number of mails that are not sent yet'), 12],
  sent: [json.integer('the number of sent mails'), 29],
  refused: [json.integer('the number of refused mails'), 1],
  skipped: [json.integer('the number of mails that were erased before they were sent'), 0],
  actor: [json.string('the name of the token that started it'), 'books'],
  createdAt: [json.time(), EXAMPLE_TIME],
  endedAt: json.nullable(json.time('null while it is running or paused')),
});

export const STATEMENT_RUNS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/statement-runs',
    role: 'office',
    body: statementRunRequest,
    status: 202,
    id: 'startStatementRun',
    summary: 'Send statements to all accounts with a balance',
    description:
      'Mails each account whose live orders have an outstanding amount or credit. `GET /sends?runId=…` has the result of each account. Repeating the request with the same `runId` sends nothing twice.',
    response: STATEMENT_RUN,
    repeatDescription: 'The request was repeated: the response is the run in its current state.',
    errorCodes: ['SEND_ID_REUSED'],
    requestExample: { runId: 'march-2026', periodFrom: '2026-03-01', periodTo: '2026-03-31' },
    handler: postRun,
  },
  ...defineList({
    path: '/statement-runs',
    role: 'office',
    filters: {},
    id: 'listStatementRuns',
    summary: 'List statement runs',
    description: 'Lists the newest first, with their progress.',
    entry: STATEMENT_RUN,
    list: (request) => ({
      find: (_filters, page) => listRuns(request.deps.database, page),
      cursorOf: cursorByAge,
      present: presentRun,
    }),
  }),
  {
    method: 'GET',
    path: '/statement-runs/:id',
    role: 'office',
    id: 'getStatementRun',
    summary: 'Retrieve a statement run',
    response: STATEMENT_RUN,
    handler: async (request) => ({ data: presentRun(await loadRun(request)) }),
  },
  {
    method: 'POST',
    path: '/statement-runs/:id/pause',
    role: 'office',
    id: 'pauseStatementRun',
    summary: 'Pause a statement run',
    description: 'The run sends no further mails, except the few that it has already begun. A completed run stays completed.',
    response: STATEMENT_RUN,
    errorCodes: ['SERVICE_UNAVAILABLE'],
    handler: (request) => changeRun(request, 'running', 'paused'),
  },
  {
    method: 'POST',
    path: '/statement-runs/:id/resume',
    role: 'office',
    id: 'resumeStatementRun',
    summary: 'Resume a statement run',
    response: STATEMENT_RUN,
    errorCodes: ['SERVICE_UNAVAILABLE'],
    handler: (request) => changeRun(request, 'paused', 'running'),
  },
];

async function loadRun(request: StudioRequest): Promise<CountedRun> {
  return requireFound(request, 'run', await findRun(request.deps.database, pathId(request, 'run')));
}

/** Stores the run with one mail for each account. The workflow starts after the response. */
async function postRun(request: StudioRequest<BodyOf<typeof statementRunRequest>>): Promise<HandlerResponse> {
  const { deps, caller, body } = request;
  const { from, to } = await periodOfBody(request, body);
  const digest = sha256(canonicalJson(body));
  const run = { id: newId('run'), sender_id: body.runId, digest, period_from: from, period_to: to };
  const { isNew, stored } = await audited(request, async (sql, record) => {
    const now = deps.clock.now();
    const findStored = async () => requireFound(request, 'run', await findRunBySenderId(sql, body.runId));
    const inserted = await insertRun(sql, { ...run, state: 'running', actor: caller.name, created_at: now, ended_at: null });
    if (!inserted) return { isNew: false, stored: await findStored() };
    const [recipients, seller] = await Promise.all([findAccountsWithBalance(sql), findCurrentSeller(sql)]);
    const sends = recipients.map(({ account_id, account_name: accountName, recipient }): SendRow => ({
      id: newId('snd'),
      account_id,
      key: runKey(run.id),
      digest,
      document: 'statement',
      ...NO_SEND_REFERENCES,
      run_id: run.id,
      period_from: from,
      period_to: to,
      recipient,
      ...draftStatement({ accountName, from, to }, seller?.name ?? null),
      state: 'pending',
      failure: null,
      token_id: null,
      actor: caller.name,
      created_at: now,
      ended_at: null,
    }));
    await insertSends(sql, sends);
    const after = { runId: body.runId, periodFrom: from, periodTo: to, accounts: sends.length };
    await record({ action: 'statement-run.start', subject: run.id, before: null, after });
    return { isNew: true, stored: await findStored() };
  });
  if (isNew) deps.workflowStarter.startRun(run.id);
  if (stored.digest !== digest) throw new ApiError('SEND_ID_REUSED', `runId ${body.runId} was used for another run; send a new id`);
  return { data: presentRun(stored), ...(isNew ? {} : { status: 200 }) };
}

async function changeRun(request: StudioRequest, from: 'running' | 'paused', to: 'running' | 'paused'): Promise<HandlerResponse> {
  const { deps } = request;
  const { id } = await loadRun(request);
  const isChanged = await audited(request, async (sql, record) => {
    if (to === 'paused') await completeRun(sql, id, deps.clock.now()); // the workflow has not noticed yet that no mail is left
    if (!(await changeRunState(sql, id, from, to, deps.clock.now()))) return false;
    const action = to === 'paused' ? 'statement-run.pause' : 'statement-run.resume';
    await record({ action, subject: id, before: { state: from }, after: { state: to } });
    return true;
  });
  if (isChanged && to === 'running') deps.workflowStarter.startRun(id);
  return { data: presentRun(await afterChange(() => loadRun(request))) };
}
