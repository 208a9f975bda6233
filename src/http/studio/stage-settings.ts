import { readSetting } from '../../db/repositories/settings';
import type { UsedStages } from '../../domain/stages';
import { fieldsOf } from '../../presenters/fields';
import * as json from '../openapi/json';
import { type BodyOf, bodySchema, booleanField } from '../schemas/text';
import { replaceSetting } from './support/audited';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const DESCRIPTIONS: Readonly<Record<keyof UsedStages, string>> = {
  framedEnabled: 'whether the screens offer `framed` for orders with a frame',
  checkedEnabled: 'whether the screens offer `checked`',
  readyEnabled: 'whether the screens offer `ready`',
};

export const stageSettingsRequest = bodySchema({
  framedEnabled: booleanField().description(DESCRIPTIONS.framedEnabled),
  checkedEnabled: booleanField().description(DESCRIPTIONS.checkedEnabled),
  readyEnabled: booleanField().description(DESCRIPTIONS.readyEnabled),
});

const STAGE_SETTINGS = json.resource<UsedStages>('StageSettings', {
  framedEnabled: [json.boolean(DESCRIPTIONS.framedEnabled), true],
  checkedEnabled: [json.boolean(DESCRIPTIONS.checkedEnabled), false],
  readyEnabled: [json.boolean(DESCRIPTIONS.readyEnabled), true],
});

export const STAGE_SETTINGS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/stage-settings',
    role: 'floor',
    id: 'getStageSettings',
    summary: 'Retrieve the stages that the studio uses',
    response: STAGE_SETTINGS,
    handler: async ({ deps }) => ({ data: presentStages(await readSetting(deps.database, 'stages')) }),
  },
  {
    method: 'PUT',
    path: '/stage-settings',
    role: 'admin',
    body: stageSettingsRequest,
    id: 'changeStageSettings',
    summary: 'Change the stages that the studio uses',
    description: 'Decides which stages the screens offer. The API accepts the milestones of all stages.',
    response: STAGE_SETTINGS,
    requestExample: { framedEnabled: true, checkedEnabled: false, readyEnabled: true },
    handler: (request: StudioRequest<BodyOf<typeof stageSettingsRequest>>) =>
      replaceSetting(request, 'stages', request.body, { action: 'stages.change', present: presentStages }),
  },
];

const presentStages = (stages: UsedStages): UsedStages => fieldsOf(stages, 'framedEnabled', 'checkedEnabled', 'readyEnabled');
