import type Joi from 'joi';
import { metadataIssue } from '../../domain/metadata';
import { checked } from './text';

/** Up to 20 strings that the client gets back and the service never reads. */
export const metadataField = (): Joi.Schema => checked({ kind: 'metadata' }, metadataIssue).allow(null);
