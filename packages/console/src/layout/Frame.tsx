import {
  ActionIcon,
  Alert,
  Anchor,
  AppShell,
  Box,
  Burger,
  Group,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Notifications, notifications } from '@mantine/notifications';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LiveProvider, useConnection } from '../live/live';
import { Offline } from '../live/Offline';
import { EnvironmentProvider, useEnvironment, useShownEnvironment } from '../session/environment';
import { Reauthenticate } from '../session/Reauthenticate';
import { isDialogOpen } from '../session/open-dialogs';
import { SignInAgain } from '../session/SignInAgain';
import { useDialogKeys } from '../shared/dialog';
import { isOrderNumber } from '../shared/order-number';
import { startScans } from '../shared/scans';
import { refuseScan, refuseUnknownScan } from '../shared/toast';
import { Search } from './Search';
import { Menu } from './Menu';

/** The header and menu around every screen. */
export function Frame() {
  // Toasts belong to the person who is signed in.
  useEffect(() => () => notifications.clean(), []);
  return (
    <EnvironmentProvider>
      <Notifications position="bottom-right" autoClose={3000} className="toasts" />
      <LiveProvider>
        <Layout />
      </LiveProvider>
    </EnvironmentProvider>
  );
}

function Layout() {
  const navigate = useNavigate();
  useDialogKeys();
  useEffect(
    () =>
      startScans((order) => {
        if (!isOrderNumber(order)) refuseUnknownScan(order);
        else if (isDialogOpen()) refuseScan(`Close the dialog to open ${order}.`);
        // If this order is open already, it keeps the focus.
        else if (location.pathname !== `/orders/${order}`) void navigate({ to: '/orders/$order', params: { order } });
      }),
    [navigate],
  );
  const [opened, { toggle, close }] = useDisclosure(false);
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
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
          <Search />
          <Group gap="xs" wrap="nowrap">
            <ConnectionStatus />
            <ColorScheme />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Screens" inert={isPhone && !opened} style={{ overflowY: 'auto' }}>
        <Menu close={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <LostConnection />
        <Offline />
        <EnvironmentNote />
        <Outlet />
        <Reauthenticate />
        <SignInAgain />
      </AppShell.Main>
    </AppShell>
  );
}

function ConnectionStatus() {
  const connection = useConnection();
  const words = { connecting: 'Connecting', live: 'Connected', lost: 'Not connected', offline: 'Offline' }[connection];
  const colour = { connecting: 'gray', live: 'teal', lost: 'red', offline: 'red' }[connection];
  return (
    <Group gap={6} wrap="nowrap" role="status" title="Live updates">
      <svg width="10" height="10" aria-hidden="true">
        <circle cx="5" cy="5" r="5" fill={`var(--mantine-color-${colour}-6)`} />
      </svg>
      <Text size="xs" className="nowrap" visibleFrom="xs">
        {words}
      </Text>
    </Group>
  );
}

function ColorScheme() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  const label = `Switch to ${other} mode`;
  return (
    <ActionIcon variant="default" aria-label={label} title={label} onClick={() => setColorScheme(other)}>
      {scheme === 'dark' ? <IconSun size={16} /> : <IconMoon size={16} />}
    </ActionIcon>
  );
}

function LostConnection() {
  if (useConnection() !== 'lost') return null;
  return (
    <Alert color="red" mb="md" role="alert" title="Connection lost">
      This page may be outdated. It reconnects and refreshes automatically.
    </Alert>
  );
}

/** The screen of an order shows its own environment; lists show the chosen one. */
function EnvironmentNote() {
  const [environment, choose] = useEnvironment();
  const shown = useShownEnvironment();
  const back = environment === 'test' && (
    <Anchor component="button" inherit underline="always" onClick={() => choose('live')}>
      Back to live orders
    </Anchor>
  );
  if ((shown ?? environment) === 'test')
    return (
      <>
        <Box pos="fixed" inset={0} bd="4px solid yellow.6" style={{ zIndex: 250, pointerEvents: 'none' }} aria-hidden />
        <Alert color="yellow" mb="md" p="xs">
          <b>{shown === null ? 'Test orders.' : 'Test order.'}</b> Not printed or charged. {back}
        </Alert>
      </>
    );
  if (shown !== 'live' || environment === 'live') return null;
  return (
    <Alert color="gray" mb="md" p="xs">
      This is a live order. Lists show test orders. {back}
    </Alert>
  );
}
