import { type Metadata, metadataIssue } from '../../domain/metadata';
import { checkedField, type Field, nullable } from './text';

/** Up to 20 strings that the service stores for the client and does not interpret. */
export const metadataField = (): Field<Metadata | null> => nullable(checkedField<Metadata>({ kind: 'metadata' }, metadataIssue));
