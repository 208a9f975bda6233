import { Group, NativeSelect } from '@mantine/core';
import { useEnvironment } from '../../session/environment';
import { useAddress } from '../../shared/address';
import { Typed } from '../../shared/typed';

/** Which accounts, and in which order. */
export function AccountFilters() {
  const [asked, change] = useAddress();
  const [environment] = useEnvironment();
  // The API narrows and sorts by live orders, whatever is shown beside it.
  const used = environment === 'live' ? 'Credit used' : 'Credit used by live orders';
  return (
    <Group align="end" gap="sm">
      <Typed
        label="Find"
        type="search"
        size="sm"
        flex="1 1 14rem"
        placeholder="Name, e-mail or id"
        maxLength={200}
        value={asked.q ?? ''}
        set={(q) => change({ q: q || undefined })}
      />
      <NativeSelect
        label="Status"
        size="sm"
        value={asked.status ?? ''}
        onChange={(event) => change({ status: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: 'Any' },
          { value: 'active', label: 'Active' },
          { value: 'suspended', label: 'Suspended' },
        ]}
      />
      <NativeSelect
        label={used}
        size="sm"
        title="Of live orders"
        value={asked.creditUsedOver ?? ''}
        onChange={(event) => change({ creditUsedOver: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: 'Any' },
          ...['50', '75', '90', '100'].map((value) => ({ value, label: `Over ${value} %` })),
          ...otherThan(asked.creditUsedOver),
        ]}
      />
      <NativeSelect
        label="Sort by"
        size="sm"
        value={asked.sort ?? ''}
        onChange={(event) => change({ sort: event.currentTarget.value || undefined })}
        data={[
          { value: '', label: 'Newest first' },
          { value: 'name', label: 'Name' },
          { value: 'creditUsed', label: `${used}, most first` },
        ]}
      />
    </Group>
  );
}

/** One that a link names and the choices do not. */
function otherThan(over: string | undefined) {
  return over === undefined || ['50', '75', '90', '100'].includes(over) ? [] : [{ value: over, label: `Over ${over} %` }];
}
