import { insertSeller, findCurrentSeller } from '../../db/repositories/sellers';
import { lockCriticalRush, readCriticalRush, writeCriticalRush } from '../../db/repositories/settings';
import type { HolidayCoverage } from '../../db/repositories/studio-calendar';
import type { SellerRow } from '../../db/rows';
import { formatAbn, readAbn } from '../../domain/abn';
import * as json from '../openapi/json';
import { abnField, type BodyOf, bodySchema, booleanField, changeSchema, textField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { audited } from './support/audited';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const studioField = bodySchema({
  name: textField(1, 200),
  abn: abnField().description('eleven digits with a valid checksum'),
  address: textField(1, 500).description('the printed lines'),
  bank: textField(1, 500).description('the account for payments, as printed lines'),
});

const CRITICAL_RUSH_DESCRIPTION = 'whether new quotes may choose the rush tier `critical`';

/** Requires at least one field (studio API "Endpoints"). */
export const settingsChange = changeSchema(
  {
    criticalRushEnabled: booleanField().description(CRITICAL_RUSH_DESCRIPTION),
    studio: studioField.description(
      'printed on every document; an invoice keeps the values at its time of issue; send the complete object',
    ),
  },
  'must contain at least one setting to change',
);

/** The sender data of the studio on its documents. */
type StudioDetails = BodyOf<typeof studioField>;

interface Settings {
  criticalRushEnabled: boolean;
  /** Null until the studio sets its details. */
  studio: StudioDetails | null;
}

const STUDIO_EXAMPLE: StudioDetails = {
  name: 'Long & Post Studio',
  abn: '51 824 753 556',
  address: '4 Press Lane\nBrunswick VIC 3056',
  bank: 'BSB 063-000, account 1041 2214\nLong & Post Studio',
};

const SETTINGS = json.resource<Settings & { holidays: HolidayCoverage }>('Settings', {
  criticalRushEnabled: [json.boolean(CRITICAL_RUSH_DESCRIPTION), true],
  studio: [
    json.nullable(
      json.object<StudioDetails>(
        {
          name: json.string('the legal name'),
          abn: json.string('in groups of digits'),
          address: json.string('with line breaks'),
          bank: json.string('with line breaks'),
        },
        { description: 'the sender data on documents; null until it is set' },
      ),
    ),
    STUDIO_EXAMPLE,
  ],
  holidays: json.object<HolidayCoverage>(
    {
      until: [json.nullable(json.date('the last day covered by the holidays of the price book; null without holidays')), '2027-12-31'],
      endSoon: [json.boolean('true from 90 days before that day: publish a price book with the next holidays'), false],
    },
    { description: 'the holidays of the newest price book' },
  ),
});

export const SETTINGS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/settings',
    role: 'office',
    id: 'getSettings',
    summary: 'Retrieve the settings',
    response: SETTINGS,
    handler: getSettings,
  },
  {
    method: 'PATCH',
    path: '/settings',
    role: 'office',
    body: settingsChange,
    id: 'changeSettings',
    summary: 'Update the settings',
    description: 'A change of critical rush applies from the next quote on. A change of `studio` applies from the next invoice on.',
    response: SETTINGS,
    requestExample: { studio: STUDIO_EXAMPLE },
    example: json.exampleWith(SETTINGS, { criticalRushEnabled: false }),
    handler: patchSettings,
  },
];

async function getSettings({ deps }: StudioRequest): Promise<HandlerResponse> {
  const [criticalRushEnabled, seller] = await deps.database.snapshot((sql) => Promise.all([readCriticalRush(sql), findCurrentSeller(sql)]));
  return { data: { ...toSettings(criticalRushEnabled, seller), holidays: await loadHolidays(deps) } };
}

async function patchSettings(request: StudioRequest<BodyOf<typeof settingsChange>>): Promise<HandlerResponse> {
  const { criticalRushEnabled, studio } = request.body;
  const now = request.deps.clock.now();
  const holidays = await loadHolidays(request.deps);
  const data = await audited(request, async (sql, record) => {
    const before = toSettings(await lockCriticalRush(sql), await findCurrentSeller(sql));
    if (criticalRushEnabled !== undefined) await writeCriticalRush(sql, criticalRushEnabled, now);
    if (studio !== undefined) await insertSeller(sql, { ...studio, abn: readAbn(studio.abn) }, now);
    const after = toSettings(criticalRushEnabled ?? before.criticalRushEnabled, await findCurrentSeller(sql));
    await record({ action: 'settings.change', subject: 'settings', before: { ...before }, after: { ...after } });
    return after;
  });
  return { data: { ...data, holidays } };
}

const loadHolidays = ({ calendar, database, clock }: StudioRequest['deps']): Promise<HolidayCoverage> =>
  calendar.holidays(database, clock.now());

function toSettings(criticalRushEnabled: boolean, seller: SellerRow | null): Settings {
  return { criticalRushEnabled, studio: seller === null ? null : toStudioDetails(seller) };
}

const toStudioDetails = ({ name, abn, address, bank }: SellerRow): StudioDetails => ({ name, abn: formatAbn(abn), address, bank });
