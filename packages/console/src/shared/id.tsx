import { Button } from '@mantine/core';
import { copy } from './copy';

/** An id as programs and people who help need it: whole, and copied by a click. */
export function Id({ of: id }: { of: string }) {
  return (
    <span className="anywhere">
      <span className="mono">{id}</span>{' '}
      <Button size="compact-xs" variant="default" aria-label={`Copy ${id}`} onClick={() => void copy(id)}>
        Copy
      </Button>
    </span>
  );
}
