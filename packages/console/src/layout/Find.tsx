import { Kbd, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 200;

/** Finds orders as one types, on the board, by whatever `q` of the API looks at. `/` goes to it. */
export function Find() {
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const { path, q } = useRouterState({
    select: ({ location }) => ({ path: location.pathname, q: (location.search as { q?: string }).q ?? '' }),
  });
  const onBoard = path === '/board';
  const [typed, setTyped] = useState(onBoard ? q : '');
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(onBoard ? q : ''), [onBoard, q]);
  useHotkeys([['/', () => field.current?.focus()]]);
  const find = (text: string): void => {
    setTyped(text);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => {
      void navigate({ to: '/board', search: (before) => ({ ...(onBoard ? before : {}), q: text || undefined }), replace: onBoard });
    }, PAUSE_MS);
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
      onChange={(event) => find(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && field.current?.blur()}
      rightSection={<Kbd size="xs">/</Kbd>}
    />
  );
}
