import { type Metadata, metadataIssue } from '../../domain/metadata';
import { checked, type Field, orNull } from './text';

/** Up to 20 strings that the client gets back and the service never reads. */
export const metadataField = (): Field<Metadata | null> => orNull(checked<Metadata>({ kind: 'metadata' }, metadataIssue));
