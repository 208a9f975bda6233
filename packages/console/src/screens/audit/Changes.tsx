import { Anchor, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Of } from '../../api/types';
import { changesOf, type Change } from './changes';
import { Value } from './Value';
import { fieldWords } from './words';

const SHOWN = 4;

/** What an entry changed: before and after beside each other, of the fields that differ alone. */
export function Changes({ entry: { before, after } }: { entry: Of<'AuditEntry'> }) {
  const [all, { toggle }] = useDisclosure(false);
  const changes = changesOf(before, after);
  if (changes.length === 0) return <Text size="sm">Nothing but that it was done</Text>;
  const isNew = before === null;
  return (
    <div>
      <div className="changes" role="table" aria-label="What changed">
        <div role="row" className="changes-row">
          {['Field', ...(isNew ? [] : ['Before']), isNew ? 'With' : 'After'].map((heading) => (
            <span key={heading} role="columnheader">
              {heading}
            </span>
          ))}
        </div>
        {(all ? changes : changes.slice(0, SHOWN)).map((change) => (
          <Row key={change.field} change={change} isNew={isNew} />
        ))}
      </div>
      {changes.length > SHOWN && (
        <Anchor component="button" size="xs" onClick={toggle} aria-expanded={all}>
          {all ? 'Show less' : `Show all ${changes.length}`}
        </Anchor>
      )}
    </div>
  );
}

function Row({ change: { field, before, after }, isNew }: { change: Change; isNew: boolean }) {
  return (
    <div role="row" className="changes-row">
      <span role="rowheader" title={field}>
        {fieldWords(field)}
      </span>
      {!isNew && (
        <span role="cell">
          <Value field={field} of={before} />
        </span>
      )}
      <span role="cell">
        <Value field={field} of={after} />
      </span>
    </div>
  );
}
