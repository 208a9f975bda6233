import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { SpotlightRoot, SpotlightSearch } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { isDialogOpen, useOpenDialog } from '../session/open-dialogs';
import type { ActionHandle } from '../shared/action';
import { Loading, NotLoaded } from '../shared/feedback';
import { isOrderNumber, readNumber } from '../shared/order-number';
import { useScans } from '../shared/scans';
import { useShortcuts } from '../shared/shortcuts';
import { refuseUnknownScan } from '../shared/toast';
import type * as PaletteParts from './Palette';
import { selectedRow, spotlight, store } from './spotlight';

/** Above an open calendar or list of the page, below the dialog that asks to sign in again. */
const Z_INDEX = 350;

const loadPalette = () => import('./Palette').catch((): typeof PaletteParts => ({ Results: NotLoaded, CreateAccountDialog: () => <></> }));
const Results = lazy(async () => ({ default: (await loadPalette()).Results }));
const CreateAccountDialog = lazy(async () => ({ default: (await loadPalette()).CreateAccountDialog }));

/** Opens the command palette, whose results are loaded at its first use. */
export function Search() {
  const [isOpen, setOpen] = useState(false);
  const [isUsed, setUsed] = useState(false);
  const createAccount = useRef<ActionHandle>(null);
  const open = (): void => {
    if (isDialogOpen()) return; // its input would be lost
    spotlight.open();
    setUsed(true);
    setOpen(true);
  };
  useHotkeys([['mod+K', open]], []);
  useShortcuts(
    [
      ['/', open],
      ['shift+/', open],
    ],
    'at once',
  );
  return (
    <>
      <Button
        styles={{ label: { flex: 1, textAlign: 'left' } }}
        variant="default"
        size="sm"
        flex={1}
        maw={420}
        fw={400}
        justify="flex-start"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            Ctrl K
          </Kbd>
        }
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={open}
      >
        Search
      </Button>
      {isOpen && <Palette onClose={() => setOpen(false)} createAccount={() => createAccount.current?.open()} />}
      {isUsed && (
        <Suspense>
          <CreateAccountDialog ref={createAccount} />
        </Suspense>
      )}
    </>
  );
}

/** It is mounted open, within the key that opens it: the transition of a closed one would let the first keys through. */
function Palette({ onClose, createAccount }: { onClose: () => void; createAccount: () => void }) {
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const typed = query.trim();
  const [isEnterPending, setEnterPending] = useState(false);
  /** Whether the results of the typed text are shown. */
  const isSettled = useRef(false);
  /** The row that an arrow key chose for the typed text. Results that arrive later must not move the choice. */
  const arrowed = useRef<string | null>(null);
  useOpenDialog({ dismiss: spotlight.close, isUnsaved: () => false });
  const openOrder = (number: string): void => {
    spotlight.close();
    void navigate({ to: '/orders/$order', params: { order: number } });
  };
  useScans((text) => (isOrderNumber(text) ? openOrder(text) : refuseUnknownScan(text)));
  // Before the spotlight handles it: the selected row may still be of an earlier text.
  const interceptEnter = (event: React.KeyboardEvent): void => {
    if (event.key !== 'Enter' || typed === '') return;
    const number = arrowed.current === null ? readNumber('order', typed, null) : null;
    if (number === null && isSettled.current) return;
    event.stopPropagation();
    event.preventDefault(); // the focus returns to a button, which must not be pressed
    if (number !== null) openOrder(number);
    else setEnterPending(true);
  };
  const change = (changed: string): void => {
    if (changed.trim() !== typed) isSettled.current = false;
    arrowed.current = null;
    setEnterPending(false);
    setQuery(changed);
  };
  return (
    <SpotlightRoot
      store={store}
      zIndex={Z_INDEX}
      query={query}
      onQueryChange={change}
      onSpotlightClose={onClose}
      transitionProps={{ duration: 0 }}
      shortcut={null}
      closeOnEscape={false}
      returnFocus={false}
      scrollable
      maxHeight={480}
      title="Search"
      styles={{ header: { display: 'none' } }}
    >
      <SpotlightSearch
        type="search"
        aria-label="Search"
        placeholder="Number, name, email, tracking, material or action"
        leftSection={<IconSearch size={20} aria-hidden />}
        autoFocus
        data-autofocus
        onKeyDownCapture={interceptEnter}
        onKeyDown={({ key }) => {
          // The spotlight selects after this call.
          if (key === 'ArrowDown' || key === 'ArrowUp') queueMicrotask(() => void (arrowed.current = selectedRow()));
        }}
      />
      <Suspense fallback={<Loading what="Loading" />}>
        <Results
          typed={typed}
          isEnterPending={isEnterPending}
          arrowed={arrowed}
          onSettled={() => {
            isSettled.current = true;
            setEnterPending(false);
          }}
          createAccount={createAccount}
        />
      </Suspense>
    </SpotlightRoot>
  );
}
