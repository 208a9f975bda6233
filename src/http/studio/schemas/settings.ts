import Joi from 'joi';
import { boolean } from '../../schemas/text';

/** Studio API "Endpoints". */
export const settingsChange = Joi.object({ criticalRushEnabled: boolean().required() });

export interface Settings {
  criticalRushEnabled: boolean;
}
