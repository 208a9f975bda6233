import { VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight } from '@mantine/spotlight';
import { IconFlask, IconLayoutList, IconPackage, IconUser, IconUserPlus, type TablerIcon } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useEnvironment } from '../session/environment';
import { useHasRole } from '../session/session';
import { CreateAccount } from '../screens/accounts/AccountForm';
import { type ActionHandle, ActionButtons } from '../shared/action';
import { hasWords } from '../shared/search-words';
import { plural } from '../shared/words';
import { SCREENS } from './Menu';
import { type Hit, useHits } from './hits';
import { rowsShown, selectedRow, store } from './spotlight';

const PAUSE_MS = 150;

/** The icon of the screen in the menu. */
const iconOf = (kind: Hit['kind']): TablerIcon => SCREENS.find(({ name }) => name === kind)?.Icon ?? IconPackage;

interface Command {
  label: string;
  Icon: TablerIcon;
  run: () => void;
}

/** The dialog of a command. It stays mounted when the palette is closed. */
export function CreateAccountDialog({ ref }: { ref: React.Ref<ActionHandle> }) {
  return (
    <ActionButtons shown={false}>
      <CreateAccount ref={ref} />
    </ActionButtons>
  );
}

interface ResultsProps {
  typed: string;
  /** Enter was pressed before the results arrived. It opens the only one. */
  isEnterPending: boolean;
  /** The name of the row that an arrow key chose. Enter opens it. */
  arrowed: React.RefObject<string | null>;
  onSettled: () => void;
  createAccount: () => void;
}

/** Search over all records, and the actions that need no page. */
export function Results({ typed, isEnterPending, arrowed, onSettled, createAccount }: ResultsProps) {
  const navigate = useNavigate();
  const [text] = useDebouncedValue(typed, PAUSE_MS);
  const { hits, isPending } = useHits(text);
  const isSearching = typed !== text || isPending;
  const commands = useCommands(createAccount).filter(({ label }) => hasWords(label, typed));
  useEffect(() => select(arrowed.current));
  useEffect(() => {
    if (isSearching) return;
    onSettled();
    if (!isEnterPending) return;
    const chosen = findRow(arrowed.current);
    if (chosen !== undefined) return chosen.click();
    const [row, ...others] = rowsShown().filter(({ dataset }) => dataset['row'] !== BOARD);
    if (others.length === 0 || hits.length === 1 || hits[0]?.isExact === true) row?.click();
  }, [isEnterPending, isSearching, hits]); // oxlint-disable-line react/exhaustive-deps, react/exhaustive-effect-dependencies -- runs for new results
  const kinds = [...new Set(hits.map(({ kind }) => kind))];
  return (
    <>
      <Spotlight.ActionsList key={hits.map(({ key }) => key).join(' ')}>
        {kinds.map((kind) => (
          <Spotlight.ActionsGroup key={kind} label={kind}>
            {hits
              .filter((hit) => hit.kind === kind)
              .map((hit) => (
                <Row
                  key={hit.key}
                  data-row={hit.key}
                  label={hit.label}
                  description={hit.description}
                  Icon={iconOf(kind)}
                  run={() => void navigate(hit.link)}
                />
              ))}
          </Spotlight.ActionsGroup>
        ))}
        {commands.length > 0 && (
          <Spotlight.ActionsGroup label="Actions">
            {commands.map((command) => (
              <Row key={command.label} data-row={command.label} {...command} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {text.length > 1 && (
          <Row
            label={`Filter the board by “${text}”`}
            Icon={IconLayoutList}
            data-row={BOARD}
            run={() => void navigate({ to: '/board', search: { q: text } })}
          />
        )}
      </Spotlight.ActionsList>
      <VisuallyHidden role="status">{isSearching ? 'Searching' : plural(hits.length, 'result')}</VisuallyHidden>
    </>
  );
}

const BOARD = 'board';

const findRow = (name: string | null): HTMLElement | undefined => rowsShown().find(({ dataset }) => dataset['row'] === name);

/** Selects the named row, or the first one, unless one is selected. Spotlight does it only when the text changes, before results arrive. */
function select(name: string | null): void {
  if (selectedRow() !== null) return;
  const rows = rowsShown();
  const index = Math.max(
    rows.findIndex(({ dataset }) => dataset['row'] === name),
    0,
  );
  rows[index]?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: index }));
}

interface RowProps extends Command {
  description?: string | undefined;
  'data-row': string;
}

function Row({ label, description, Icon, run, ...others }: RowProps) {
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
