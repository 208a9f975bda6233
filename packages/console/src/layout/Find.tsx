import { Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useKeys } from '../shared/keys';
import { isOrderNumber } from '../shared/order-number';

const PAUSE_MS = 200;

const PLACES: readonly [RegExp, string][] = [
  [/^ord_[0-9a-f]{32}$/, '/orders/'],
  [/^acc_[0-9a-f]{32}$/, '/accounts/'],
  [/^dlv_[0-9a-f]{32}$/, '/deliveries/'],
];

/** Finds orders as one types, on the board, by whatever `q` of the API looks at. `/` goes to it; enter opens a whole number, or an id. */
export function Find() {
  const field = useRef<HTMLInputElement>(null);
  const { typed, type, enter } = useTyped();
  const focus = (): void => field.current?.select();
  useKeys([
    ['/', focus],
    ['shift+/', focus],
  ]);
  const onKeyDown = ({ key }: React.KeyboardEvent): void => {
    if (key === 'Enter') enter();
    if (key === 'Enter' || key === 'Escape') field.current?.blur();
  };
  return (
    <TextInput
      ref={field}
      type="search"
      size="sm"
      flex={1}
      maw={460}
      aria-label="Find orders"
      placeholder="Find an order: number, name, e-mail, tracking"
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      rightSection={<Kbd size="xs">/</Kbd>}
      rightSectionProps={{ 'aria-hidden': true }}
    />
  );
}

/** What was typed, which the address follows a moment later; where the address changes by itself, it is that. */
function useTyped() {
  const navigate = useNavigate();
  const { path, q } = useRouterState({
    select: ({ location }) => ({ path: location.pathname, q: (location.search as { q?: string }).q ?? '' }),
  });
  const onBoard = path === '/board';
  const addressed = onBoard ? q : '';
  const [typed, setTyped] = useState(addressed);
  const sent = useRef(addressed);
  // Of a search of our own the field knows more already: letters that were typed since.
  useEffect(() => {
    if (addressed === sent.current) return;
    sent.current = addressed;
    setTyped(addressed);
  }, [addressed]);
  const find = (text: string): void => {
    if (text === sent.current) return;
    sent.current = text;
    void navigate({ to: '/board', search: (before) => ({ ...(onBoard ? before : {}), q: text || undefined }), replace: onBoard });
  };
  const later = useDebouncedCallback(find, PAUSE_MS);
  // Whoever has gone elsewhere meanwhile is not taken to the board.
  useEffect(() => {
    if (path !== '/board') later.cancel();
  }, [path, later]);
  const type = (text: string): void => {
    setTyped(text);
    later(text.trim());
  };
  const enter = (): void => {
    const text = typed.trim();
    later.cancel();
    const place = PLACES.find(([id]) => id.test(text))?.[1];
    if (place !== undefined) {
      setTyped('');
      return void navigate({ to: `${place}${text}` });
    }
    if (!isOrderNumber(text)) return find(text);
    void navigate({ to: `/orders/${text.toUpperCase()}` });
  };
  return { typed, type, enter };
}
