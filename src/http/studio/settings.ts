import Joi from 'joi';
import { insertSeller, findCurrentSeller } from '../../db/repositories/sellers';
import { lockCriticalRush, readCriticalRush, writeCriticalRush } from '../../db/repositories/settings';
import type { HolidayCoverage } from '../../db/repositories/pricing-terms';
import type { SellerRow } from '../../db/rows';
import { abnIssue, formatAbn, readAbn } from '../../domain/abn';
import * as json from '../openapi/json';
import { type BodyOf, bodySchema, booleanField, checkedField, textField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { audited } from './support/audited';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const studioField = bodySchema({
  name: textField(1, 200),
  abn: checkedField({ kind: 'like', pattern: '^[0-9]( ?[0-9]){10}$' }, abnIssue).description('eleven digits whose check is right'),
  address: textField(1, 500).description('lines as they are to stand'),
  bank: textField(1, 500).description('where invoices are to be paid, lines as they are to stand'),
});

/** Any of the fields, at least one (studio API "Endpoints"). */
export const settingsChange = Joi.object({
  criticalRushEnabled: booleanField(),
  studio: studioField.description('on every document, and frozen into each invoice; sent as a whole'),
})
  .min(1)
  .messages({ 'object.min': 'must name a setting to change' });

/** What the studio says of itself on its documents. */
type StudioDetails = BodyOf<typeof studioField>;

interface Settings {
  criticalRushEnabled: boolean;
  /** Null until it was told. */
  studio: StudioDetails | null;
}

type SettingsChange = Partial<{ [K in keyof Settings]: NonNullable<Settings[K]> }>;

interface StudioSettings extends Settings {
  holidays: HolidayCoverage;
}

const STUDIO_EXAMPLE: StudioDetails = {
  name: 'Long & Post Studio',
  abn: '51 824 753 556',
  address: '4 Press Lane\nBrunswick VIC 3056',
  bank: 'BSB 063-000, account 1041 2214\nLong & Post Studio',
};

const SETTINGS = json.resource<StudioSettings>('Settings', {
  criticalRushEnabled: [json.boolean(), true],
  studio: [
    json.nullable(
      json.object<StudioDetails>(
        { name: json.string(), abn: json.string('in groups'), address: json.string('with its lines'), bank: json.string('with its lines') },
        { description: 'what the studio says of itself on its documents; null until it was told' },
      ),
    ),
    STUDIO_EXAMPLE,
  ],
  holidays: json.object<HolidayCoverage>(
    {
      until: [
        json.nullable(json.date('the last day of the years that the price book has holidays for; null where it has none')),
        '2027-12-31',
      ],
      endSoon: [json.boolean('true 90 days before that day: publish a price book with the next holidays'), false],
    },
    { description: 'of the last price book that is published' },
  ),
});

export const SETTINGS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/settings',
    role: 'office',
    id: 'getSettings',
    summary: "The studio's settings",
    response: SETTINGS,
    handler: getSettings,
  },
  {
    method: 'PATCH',
    path: '/settings',
    role: 'office',
    body: settingsChange,
    id: 'changeSettings',
    summary: 'Switch critical rush work, or tell what the studio says of itself on its documents',
    description:
      'Critical rush from the next quote on; `studio` from the next invoice on: each invoice keeps what held when it was issued.',
    response: SETTINGS,
    requestExample: { studio: STUDIO_EXAMPLE },
    example: json.exampleWith(SETTINGS, { criticalRushEnabled: false }),
    handler: patchSettings,
  },
];

async function getSettings({ deps }: StudioRequest): Promise<HandlerResponse> {
  const [criticalRushEnabled, seller] = [await readCriticalRush(deps.database), await findCurrentSeller(deps.database)];
  return { data: { ...toSettings(criticalRushEnabled, seller), holidays: await loadHolidays(deps) } };
}

/** Ruling 64. */
async function patchSettings(request: StudioRequest<SettingsChange>): Promise<HandlerResponse> {
  const { criticalRushEnabled, studio } = request.body;
  const now = request.deps.clock.now();
  const data = await audited(request, async (sql, record) => {
    const before = toSettings(await lockCriticalRush(sql), await findCurrentSeller(sql));
    if (criticalRushEnabled !== undefined) await writeCriticalRush(sql, criticalRushEnabled, now);
    if (studio !== undefined) await insertSeller(sql, { ...studio, abn: readAbn(studio.abn) }, now);
    const after = toSettings(criticalRushEnabled ?? before.criticalRushEnabled, await findCurrentSeller(sql));
    await record({ action: 'settings.change', subject: 'settings', before: { ...before }, after: { ...after } });
    return after;
  });
  return { data: { ...data, holidays: await loadHolidays(request.deps) } };
}

const loadHolidays = ({ pricingTerms, database, clock }: StudioRequest['deps']): Promise<HolidayCoverage> =>
  pricingTerms.holidays(database, clock.now());

function toSettings(criticalRushEnabled: boolean, seller: SellerRow | null): Settings {
  return { criticalRushEnabled, studio: seller === null ? null : toStudioDetails(seller) };
}

const toStudioDetails = ({ name, abn, address, bank }: SellerRow): StudioDetails => ({ name, abn: formatAbn(abn), address, bank });
