import { Anchor, Stack } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { Of } from '../../api/types';
import { ShortId } from './ShortId';

interface Place {
  what: string;
  to?: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

/** What an entry is about, as a link where it has a screen. */
export function Subject({ entry }: { entry: Of<'AuditEntry'> }) {
  const { what, to } = placeOf(entry);
  return (
    <Stack gap={0}>
      {to === undefined ? (
        <span>{what}</span>
      ) : (
        <Anchor renderRoot={(props) => <Link {...to} {...props} />} size="sm">
          {what}
        </Anchor>
      )}
      {what !== entry.subject && <ShortId id={entry.subject} />}
    </Stack>
  );
}

/** By what its id begins with. */
function placeOf({ subject, before, after, action }: Of<'AuditEntry'>): Place {
  const [kind] = subject.split(/[_/]/, 1);
  switch (kind) {
    case 'ord':
      return { what: 'Order', to: { to: '/orders/$order', params: { order: subject } } };
    case 'acc':
      return { what: 'Account', to: { to: '/accounts/$account', params: { account: subject } } };
    case 'dlv':
      return { what: 'Delivery', to: { to: '/deliveries/$delivery', params: { delivery: subject } } };
    case 'whe':
      return { what: 'Endpoint', to: { to: '/deliveries', search: { endpoint: subject } } };
    case 'key':
      return { what: 'API key', ...accountOf(after ?? before) };
    case 'tok':
      return { what: 'Token', to: { to: '/settings' } };
    case 'price-book':
      return { what: `Price book ${subject.slice(subject.indexOf('/') + 1)}`, to: { to: '/prices' } };
    case 'settings':
      return { what: 'Settings', to: { to: '/settings' } };
    default:
      return action.startsWith('catalogue.') ? { what: 'Catalogue', to: { to: '/catalogue' } } : { what: subject };
  }
}

/** A key is shown with its account. */
function accountOf(record: Of<'AuditEntry'>['after']): Pick<Place, 'to'> {
  const id = record?.accountId;
  return typeof id === 'string' ? { to: { to: '/accounts/$account', params: { account: id } } } : {};
}
