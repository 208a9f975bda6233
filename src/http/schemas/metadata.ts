import { type Metadata, metadataIssue } from '../../domain/metadata';
import { checkedField, type Field, nullable } from './text';

/** Up to 20 strings that the client gets back and the service never reads. */
export const metadataField = (): Field<Metadata | null> => nullable(checkedField<Metadata>({ kind: 'metadata' }, metadataIssue));
