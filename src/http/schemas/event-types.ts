import type Joi from 'joi';
import { STORED_EVENT_TYPES } from '../../domain/events';
import { listOf, oneOfField } from './text';

export const EVENT_TYPES_MEANING = 'the events that it gets; null is all, also types that are added later. Pings are always sent';

export const eventTypesField = (): Joi.Schema =>
  listOf(oneOfField(STORED_EVENT_TYPES), 1, STORED_EVENT_TYPES.length).allow(null).description(EVENT_TYPES_MEANING);
