import Joi from 'joi';
import { findAccount } from '../../db/repositories/accounts';
import { findLastReminder, findUnpaidInvoices, hasReminderToday } from '../../db/repositories/reminders';
import { readSetting } from '../../db/repositories/settings';
import { validationError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { localDate, nextDay, startOfDay, timeAt } from '../../domain/pricing/ready-date';
import { DEFAULT_STEPS, nextReminder, REMINDER_HOUR, REMINDER_STEPS, type ReminderStep } from '../../domain/pricing/reminders';
import * as json from '../openapi/json';
import { pathId, requireFound } from '../path-id';
import { type BodyOf, bodySchema, integerField, singleLineTextField, textField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { studioDay } from './support/book-in-force';
import { EXAMPLE_TIME } from './support/examples';
import { replaceSetting } from './support/audited';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const stepField = bodySchema({
  days: integerField(1, 365).description('the days after the due date'),
  subject: singleLineTextField(1, LIMITS.mailSubjectLength),
  message: textField(1, LIMITS.mailTextLength).description('the text above the invoices'),
});

export const reminderSettingsRequest = bodySchema({
  steps: Joi.array<ReminderStep[]>().items(stepField).length(REMINDER_STEPS).description('the three steps, with rising days'),
});

interface ReminderSettings {
  steps: readonly ReminderStep[];
}

const REMINDER_SETTINGS = json.resource<ReminderSettings>('ReminderSettings', {
  steps: [
    json.list(
      json.object<ReminderStep>({
        days: json.integer('the days after the due date'),
        subject: json.string(),
        message: json.string('the text above the invoices'),
      }),
      'the three steps',
    ),
    DEFAULT_STEPS,
  ],
});

interface AccountReminders {
  enabled: boolean;
  next: { on: string; step: number } | null;
  last: { sentAt: string; step: number } | null;
}

const ACCOUNT_REMINDERS = json.resource<AccountReminders>('AccountReminders', {
  enabled: [json.boolean('whether the account gets reminders; `PATCH /accounts/{id}` changes it'), true],
  next: [
    json.nullable(
      json.object<NonNullable<AccountReminders['next']>>(
        { on: json.date("the day on the studio's calendar"), step: json.integer('the step, from 1') },
        { description: 'the next reminder if nothing is paid until then; null if none is planned' },
      ),
    ),
    { on: '2026-04-08', step: 1 },
  ],
  last: [
    json.nullable(
      json.object<NonNullable<AccountReminders['last']>>(
        { sentAt: json.time(), step: json.integer('the step, from 1') },
        { description: 'the last reminder that was sent; null before the first' },
      ),
    ),
    { sentAt: EXAMPLE_TIME, step: 1 },
  ],
});

export const REMINDERS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/reminder-settings',
    role: 'office',
    id: 'getReminderSettings',
    summary: 'Retrieve the steps of the reminders',
    response: REMINDER_SETTINGS,
    handler: async ({ deps }) => ({ data: presentSteps(await readSetting(deps.database, 'reminders')) }),
  },
  {
    method: 'PUT',
    path: '/reminder-settings',
    role: 'admin',
    body: reminderSettingsRequest,
    id: 'changeReminderSettings',
    summary: 'Change the steps of the reminders',
    description: 'Applies from the next day on which reminders are made. Mails that wait already keep their text.',
    response: REMINDER_SETTINGS,
    requestExample: { steps: [...DEFAULT_STEPS] },
    handler: putSettings,
  },
  {
    method: 'GET',
    path: '/accounts/:id/reminders',
    role: 'office',
    id: 'getAccountReminders',
    summary: 'Retrieve the reminders of an account',
    description: 'Shows whether the account gets reminders, and when. `GET /sends?document=reminder` lists those that were made.',
    response: ACCOUNT_REMINDERS,
    handler: getAccountReminders,
  },
];

async function putSettings(request: StudioRequest<BodyOf<typeof reminderSettingsRequest>>): Promise<HandlerResponse> {
  const { steps } = request.body;
  const wrong = steps.findIndex(({ days }, at) => days <= (steps[at - 1]?.days ?? 0));
  if (wrong >= 0) throw validationError([{ path: `steps.${wrong}.days`, message: 'must be more days than in the step before' }]);
  return replaceSetting(request, 'reminders', steps, { action: 'reminders.change', present: presentSteps });
}

const presentSteps = (steps: readonly ReminderStep[]): ReminderSettings => ({ steps });

async function getAccountReminders(request: StudioRequest): Promise<HandlerResponse> {
  const { timeZone, today } = await studioDay(request);
  const id = pathId(request, 'acc');
  const [account, { invoices, credit_cents: creditCents }, steps, last, hadToday] = await request.deps.database.snapshot((sql) =>
    Promise.all([
      findAccount(sql, id),
      findUnpaidInvoices(sql, id, 'infinity'),
      readSetting(sql, 'reminders'),
      findLastReminder(sql, id),
      hasReminderToday(sql, id, startOfDay(timeZone, today)),
    ]),
  );
  const { reminders: enabled } = requireFound(request, 'acc', account);
  const open = invoices.map(({ id: invoiceId, due_at, due_cents: dueCents, reminded_step: remindedStep }) => ({
    id: invoiceId,
    dueDate: localDate(timeZone, due_at),
    dueCents,
    remindedStep,
  }));
  const runAt = timeAt(timeZone, today, `${String(REMINDER_HOUR).padStart(2, '0')}:00:00`);
  const earliest = hadToday || request.deps.clock.now() >= runAt ? nextDay(today) : today;
  return {
    data: {
      enabled,
      next: enabled ? nextReminder(open, creditCents, steps, earliest) : null,
      last: last === null ? null : { sentAt: last.ended_at.toISOString(), step: last.step },
    },
  };
}
