import { ActionIcon } from '@mantine/core';
import { copy } from './copy';

/** An id as programs and people who help need it: whole, and copied by a click. */
export function Id({ of: id }: { of: string }) {
  return (
    <span className="anywhere">
      <span className="mono">{id}</span>{' '}
      <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Copy ${id}`} title="Copy" onClick={() => void copy(id)}>
        ⧉
      </ActionIcon>
    </span>
  );
}
