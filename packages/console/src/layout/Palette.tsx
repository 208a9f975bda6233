import { VisuallyHidden } from '@mantine/core';
import { useDebouncedValue, useDidUpdate } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { IconFlask, IconLayoutList, IconPackage, IconSearch, IconUser, IconUserPlus, type TablerIcon } from '@tabler/icons-react';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useEnvironment } from '../session/environment';
import { useHasRole } from '../session/session';
import { CreateAccount } from '../screens/accounts/AccountForm';
import { type ActionHandle, ActionButtons } from '../shared/action';
import { readNumber } from '../shared/order-number';
import { hasWords } from '../shared/search-words';
import { plural } from '../shared/words';
import { SCREENS } from './Menu';
import { type Hit, useHits } from './hits';

const [store, spotlight] = createSpotlight();
export const openPalette = spotlight.open;

const PAUSE_MS = 150;

/** The icon of the screen in the menu. */
const iconOf = (kind: Hit['kind']): TablerIcon => SCREENS.find(({ name }) => name === kind)?.Icon ?? IconPackage;

interface Command {
  label: string;
  Icon: TablerIcon;
  run: () => void;
}

/** Search over all records, and the actions that need no page. */
export function Palette() {
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const typed = query.trim();
  const [text] = useDebouncedValue(typed, PAUSE_MS);
  const { hits, isPending } = useHits(text);
  const isSearching = typed !== text || isPending;
  const createAccount = useRef<ActionHandle>(null);
  const commands = useCommands(() => createAccount.current?.open()).filter(({ label }) => hasWords(label, typed));
  const [isEnterPending, setEnterPending] = useState(false);
  const href = useRouterState({ select: ({ location }) => location.href });
  useDidUpdate(spotlight.close, [href]); // a scan opens its order too
  useEffect(selectFirst);
  useEffect(() => {
    if (!isEnterPending || isSearching) return;
    setEnterPending(false);
    const [row, ...others] = document.querySelectorAll<HTMLElement>(`#${store.getState().listId} [data-action]:not([data-board])`);
    if (others.length === 0 || hits.length === 1 || hits[0]?.isExact === true) row?.click();
  }, [isEnterPending, isSearching, hits]);
  // Before the spotlight handles it: the selected row may still be of an earlier text.
  const interceptEnter = (event: React.KeyboardEvent): void => {
    if (event.key !== 'Enter' || typed === '') return;
    const number = readNumber('order', typed, null);
    if (number !== null) {
      event.stopPropagation();
      spotlight.close();
      void navigate({ to: '/orders/$order', params: { order: number } });
    } else if (isSearching) {
      event.stopPropagation();
      setEnterPending(true);
    }
  };
  const change = (changed: string): void => {
    setEnterPending(false);
    setQuery(changed);
  };
  const kinds = [...new Set(hits.map(({ kind }) => kind))];
  return (
    <>
      <Spotlight.Root
        store={store}
        query={query}
        onQueryChange={change}
        transitionProps={{ duration: 0 }} // while it faded, it would clear a query that is typed already
        shortcut={null}
        scrollable
        maxHeight={480}
        title="Search"
        styles={{ header: { display: 'none' } }}
      >
        <Spotlight.Search
          type="search"
          aria-label="Search"
          placeholder="Number, name, email, tracking, material or action"
          leftSection={<IconSearch size={20} aria-hidden />}
          onKeyDownCapture={interceptEnter}
        />
        <Spotlight.ActionsList key={hits.map(({ key }) => key).join(' ')}>
          {kinds.map((kind) => (
            <Spotlight.ActionsGroup key={kind} label={kind}>
              {hits
                .filter((hit) => hit.kind === kind)
                .map((hit) => (
                  <Row
                    key={hit.key}
                    label={hit.label}
                    description={hit.description}
                    Icon={iconOf(kind)}
                    run={() => void navigate(hit.link)}
                  />
                ))}
            </Spotlight.ActionsGroup>
          ))}
          {text.length > 1 && (
            <Row
              label={`Filter the board by “${text}”`}
              Icon={IconLayoutList}
              data-board
              run={() => void navigate({ to: '/board', search: { q: text } })}
            />
          )}
          {commands.length > 0 && (
            <Spotlight.ActionsGroup label="Actions">
              {commands.map((command) => (
                <Row key={command.label} {...command} />
              ))}
            </Spotlight.ActionsGroup>
          )}
        </Spotlight.ActionsList>
        <VisuallyHidden role="status">{isSearching ? 'Searching' : plural(hits.length, 'result')}</VisuallyHidden>
      </Spotlight.Root>
      <ActionButtons shown={false}>
        <CreateAccount ref={createAccount} />
      </ActionButtons>
    </>
  );
}

/** Selects the first row unless one is selected. Spotlight does it only when the text changes, before new results arrive. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  if (list === null || list.querySelector('[data-selected]') !== null) return;
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

function Row({ label, description, Icon, run, ...others }: Command & { description?: string | undefined; 'data-board'?: true }) {
  return (
    <Spotlight.Action
      label={label}
      {...(description === undefined ? {} : { description })}
      leftSection={<Icon size={20} stroke={1.5} aria-hidden />}
      onClick={run}
      {...others}
    />
  );
}

function useCommands(createAccount: () => void): Command[] {
  const navigate = useNavigate();
  const [environment, setEnvironment] = useEnvironment();
  const may = { floor: true, office: useHasRole('office'), admin: useHasRole('admin') };
  const otherEnvironment = environment === 'live' ? 'test' : 'live';
  return [
    ...SCREENS.filter(({ role }) => may[role]).map(({ name, to, Icon }) => ({ label: name, Icon, run: () => void navigate({ to }) })),
    ...(may.office ? [{ label: 'Create account', Icon: IconUserPlus, run: createAccount }] : []),
    { label: `Switch to ${otherEnvironment} orders`, Icon: IconFlask, run: () => setEnvironment(otherEnvironment) },
    { label: 'Your sessions', Icon: IconUser, run: () => void navigate({ to: '/sessions' }) },
  ];
}
