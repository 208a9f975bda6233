import Joi from 'joi';
import { abnIssue } from '../../../domain/abn';
import { boolean, checked, text } from '../../schemas/text';

const studio = Joi.object({
  name: text(1, 200).required(),
  abn: checked({ kind: 'like', pattern: '^[0-9]( ?[0-9]){10}$' }, abnIssue).required().description('eleven digits whose check is right'),
  address: text(1, 500).required().description('lines as they are to stand'),
  bank: text(1, 500).required().description('where invoices are to be paid, lines as they are to stand'),
});

/** Any of the fields, at least one (studio API "Endpoints"). */
export const settingsChange = Joi.object({
  criticalRushEnabled: boolean(),
  studio: studio.description('on every document, and frozen into each invoice; sent as a whole'),
})
  .min(1)
  .messages({ 'object.min': 'must name a setting to change' });

/** What the studio says of itself on its documents. */
export interface StudioDetails {
  name: string;
  abn: string;
  address: string;
  bank: string;
}

export interface Settings {
  criticalRushEnabled: boolean;
  /** Null until it was told. */
  studio: StudioDetails | null;
}

export interface SettingsChange {
  criticalRushEnabled?: boolean;
  studio?: StudioDetails;
}
