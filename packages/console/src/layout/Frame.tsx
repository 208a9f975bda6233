import {
  ActionIcon,
  Alert,
  Anchor,
  AppShell,
  Burger,
  Group,
  NavLink,
  SegmentedControl,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Environment, Role } from '../api/types';
import { LiveProvider, useConnection } from '../live/live';
import { Offline } from '../live/Offline';
import { EnvironmentProvider, useEnvironment, useShown } from '../session/environment';
import { useMay, useSession } from '../session/session';
import { Reauthenticate } from '../session/Reauthenticate';
import { SignInAgain } from '../session/SignInAgain';
import { SignOut } from '../session/SignOut';
import { useKeys } from '../shared/keys';
import { personName } from '../shared/person';
import { ignoreScans } from '../shared/scanner';
import { wordsOf } from '../shared/status';
import { Find } from './Find';

const SCREENS: readonly { to: string; press: string; name: string; role: Role }[] = [
  { to: '/', press: 'g', name: 'Today', role: 'floor' },
  { to: '/board', press: 'b', name: 'Board', role: 'floor' },
  { to: '/accounts', press: 'a', name: 'Accounts', role: 'office' },
  { to: '/deliveries', press: 'd', name: 'Deliveries', role: 'office' },
  { to: '/catalogue', press: 'c', name: 'Catalogue', role: 'office' },
  { to: '/prices', press: 'p', name: 'Prices', role: 'admin' },
  { to: '/audit', press: 'u', name: 'Audit', role: 'admin' },
  { to: '/settings', press: 's', name: 'Settings', role: 'office' },
];

/** What stands around every screen: where one can go, who one is, whether what is shown is live, and what is looked at. */
export function Frame() {
  return (
    <EnvironmentProvider>
      <LiveProvider>
        <Shell />
      </LiveProvider>
    </EnvironmentProvider>
  );
}

function Shell() {
  useEffect(ignoreScans, []);
  const [opened, { toggle, close }] = useDisclosure(false);
  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 190, breakpoint: 'sm', collapsed: { mobile: !opened } }} padding="md">
      <Anchor href="#main" className="skip">
        To the content
      </Anchor>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="sm">
          <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={opened ? 'Close the menu' : 'Open the menu'} />
          <Text fw={700} visibleFrom="sm">
            Studio
          </Text>
          <Find />
          <Group gap="xs" wrap="nowrap">
            <Connected />
            <Colours />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Screens">
        <Screens close={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Warnings />
        <Outlet />
        <Reauthenticate />
        <SignInAgain />
      </AppShell.Main>
    </AppShell>
  );
}

function Screens({ close }: { close: () => void }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [environment, choose] = useEnvironment();
  return (
    <>
      {SCREENS.map((screen) => (
        <Screen key={screen.to} {...screen} active={isAt(path, screen.to)} close={close} />
      ))}
      <Text size="xs" fw={600} mt="md" mb={4}>
        Orders
      </Text>
      <SegmentedControl
        size="xs"
        aria-label="Which orders are shown"
        value={environment}
        onChange={(value) => choose(value as Environment)}
        data={[
          { value: 'live', label: 'Live' },
          { value: 'test', label: 'Test' },
        ]}
      />
      <Myself close={close} />
    </>
  );
}

function Screen({ to, press, name, role, active, close }: (typeof SCREENS)[number] & { active: boolean; close: () => void }) {
  const may = useMay(role);
  const navigate = useNavigate();
  // A letter pressed in a dialog must not take away what was put in there.
  const go = ({ target }: KeyboardEvent): void => {
    if (!(target instanceof Element) || target.closest('[role="dialog"]') === null) void navigate({ to });
  };
  useKeys(may ? [[press, go]] : []);
  if (!may) return null;
  return (
    <NavLink
      component={Link}
      to={to}
      label={name}
      aria-keyshortcuts={press}
      active={active}
      variant="filled"
      aria-current={active ? 'page' : undefined}
      onClick={close}
    />
  );
}

/** An order belongs to the board, from where one mostly comes to it. */
function isAt(path: string, to: string): boolean {
  if (to === '/') return path === '/';
  return path.startsWith(to) || (to === '/board' && path.startsWith('/orders'));
}

function Myself({ close }: { close: () => void }) {
  const { name, role } = useSession();
  return (
    <Group mt="auto" gap={4} p="xs">
      <Text size="sm" className="anywhere" title={name}>
        {personName(name)} ({wordsOf(role)})
      </Text>
      <Anchor component={Link} to="/sessions" size="xs" underline="always" onClick={close}>
        Your sessions
      </Anchor>
      <SignOut />
    </Group>
  );
}

function Connected() {
  const connection = useConnection();
  const words = { connecting: 'Connecting', live: 'Connected', lost: 'Not connected', offline: 'Offline' }[connection];
  const colour = { connecting: 'gray', live: 'teal', lost: 'red', offline: 'red' }[connection];
  return (
    <Group gap={6} wrap="nowrap" role="status" title="Whether changes are shown as they happen">
      <svg width="10" height="10" aria-hidden="true">
        <circle cx="5" cy="5" r="5" fill={`var(--mantine-color-${colour}-6)`} />
      </svg>
      <Text size="xs" className="nowrap" visibleFrom="xs">
        {words}
      </Text>
    </Group>
  );
}

function Colours() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon variant="default" aria-label={`Show it ${other}`} title={`Show it ${other}`} onClick={() => setColorScheme(other)}>
      {scheme === 'dark' ? '☀' : '☾'}
    </ActionIcon>
  );
}

function Warnings() {
  const connection = useConnection();
  return (
    <>
      {connection === 'lost' && (
        <Alert color="red" mb="md" role="alert" title="The connection is lost">
          What you see may be old. It is tried again all the time, and everything is read anew once it is back.
        </Alert>
      )}
      <Offline />
      <LiveOrTest />
    </>
  );
}

/** What an order's own screen shows is what that order is, whatever was chosen for lists. */
function LiveOrTest() {
  const [environment, choose] = useEnvironment();
  const shown = useShown();
  const isDelivery = useRouterState({ select: ({ location }) => location.pathname.startsWith('/deliveries') });
  const back = environment === 'test' && (
    <Anchor component="button" onClick={() => choose('live')}>
      Back to live orders
    </Anchor>
  );
  if ((shown ?? environment) === 'test')
    return (
      <Alert color="yellow" mb="md" title={shown === null ? 'Test orders' : 'Test order'}>
        What clients try out: nothing of it is printed or charged. {back}
      </Alert>
    );
  if (shown !== 'live' || environment === 'live') return null;
  return (
    <Alert color="gray" mb="md">
      {isDelivery ? 'This webhook tells of a live order, which is made and charged.' : 'This is a live order: it is made and charged.'}{' '}
      Lists show test orders. {back}
    </Alert>
  );
}
