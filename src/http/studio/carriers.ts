import Joi from 'joi';
import { readSetting } from '../../db/repositories/settings';
import { type Carrier, CARRIER_LIMITS, DEFAULT_CARRIERS, maskIssue, repeatedCarrierText, templateIssue } from '../../domain/carriers';
import { validationError } from '../../domain/errors';
import { singleLineTextIssue } from '../../domain/field-formats';
import * as json from '../openapi/json';
import { type BodyOf, bodySchema, checkedField, type Field, listField, nullable } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { replaceSetting } from './support/audited';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const { carriers: maxCarriers, name, services, service, template, masks, mask } = CARRIER_LIMITS;

/** A text of one line with visible characters, and its own rule. */
const checkedText = (max: number, issue: (text: string) => string | null): Field =>
  checkedField({ kind: 'singleLineText', min: 1, max }, (value) => singleLineTextIssue(value, 1, max) ?? issue(String(value)));
const visible = (text: string): string | null => (text.trim() === text ? null : 'must not begin or end with a space');

const NAME = 'the name in the parcel’s `carrier`';
const SERVICES = 'the names of its services; a parcel’s `carrier` is the name of the carrier, or that and the name of a service';
const TRACKING_URL = 'the URL of a tracking page with `{trackingNumber}`, which is then percent-encoded; null without one';
const MASKS =
  'the forms of its tracking numbers. `#` is a digit, `@` a letter, `?` either, and `*` at the end any number of them. Brackets enclose the tracking number if the label has more.';

const carrierField = bodySchema({
  name: checkedText(name, visible).description(NAME),
  services: listField(checkedText(service, visible), 0, services).description(SERVICES),
  trackingUrl: nullable(checkedText(template, templateIssue)).description(TRACKING_URL),
  masks: listField(checkedText(mask, maskIssue), 0, masks).description(MASKS),
});

export const carriersRequest = bodySchema({
  carriers: Joi.array<Carrier[]>().items(carrierField).max(maxCarriers).description('all carriers in the order of the list'),
});

interface Carriers {
  carriers: readonly Carrier[];
}

const CARRIERS = json.resource<Carriers>('Carriers', {
  carriers: [
    json.list(
      json.object<Carrier>({
        name: json.string(NAME),
        services: json.list(json.string(), SERVICES),
        trackingUrl: json.nullable(json.string(TRACKING_URL)),
        masks: json.list(json.string(), MASKS),
      }),
      'all carriers',
    ),
    DEFAULT_CARRIERS,
  ],
});

export const CARRIERS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/carriers',
    role: 'floor',
    id: 'getCarriers',
    summary: 'List the carriers',
    description: 'The console proposes the carrier of a scanned label, and makes the URL of its tracking page.',
    response: CARRIERS,
    handler: async ({ deps }) => ({ data: presentCarriers(await readSetting(deps.database, 'carriers')) }),
  },
  {
    method: 'PUT',
    path: '/carriers',
    role: 'admin',
    body: carriersRequest,
    id: 'changeCarriers',
    summary: 'Change the carriers',
    description: 'Replaces the list. Parcels keep their `carrier` and `trackingUrl`.',
    response: CARRIERS,
    requestExample: { carriers: [...DEFAULT_CARRIERS] },
    handler: putCarriers,
  },
];

async function putCarriers(request: StudioRequest<BodyOf<typeof carriersRequest>>): Promise<HandlerResponse> {
  const { carriers } = request.body;
  const repeated = repeatedCarrierText(carriers);
  if (repeated !== null)
    throw validationError([
      { path: `carriers.${repeated.at}.name`, message: `must make other texts than the carriers before: ${repeated.text}` },
    ]);
  return replaceSetting(request, 'carriers', carriers, { action: 'carriers.change', present: presentCarriers });
}

const presentCarriers = (carriers: readonly Carrier[]): Carriers => ({ carriers });
