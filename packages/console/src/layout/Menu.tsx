import { Anchor, Badge, Button, Group, Kbd, NavLink, SegmentedControl, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBook2,
  IconClock,
  IconCoins,
  IconHistory,
  IconHome,
  IconLayoutList,
  IconMail,
  IconPlayerPause,
  IconPlayerPlay,
  IconReceipt,
  IconScan,
  IconSettings,
  IconTag,
  IconTruckDelivery,
  IconUsers,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import type { Environment, Role } from '../api/studio';
import { useEnvironment } from '../session/environment';
import { useHasRole, useSession } from '../session/session';
import { SignOut } from '../session/SignOut';
import { Dialog } from '../shared/dialog';
import { formatCount, useCountOfFailingEndpoints, useOrderCounts } from '../shared/counts';
import { useShortcuts } from '../shared/shortcuts';
import { personName, statusLabel } from '../shared/words';

export interface Screen {
  to:
    | '/'
    | '/station'
    | '/board'
    | '/labels'
    | '/accounts'
    | '/invoices'
    | '/payments'
    | '/sends'
    | '/deliveries'
    | '/catalogue'
    | '/prices'
    | '/audit'
    | '/settings';
  /** Its keyboard shortcut. */
  press: string;
  name: string;
  role: Role;
  Icon: TablerIcon;
}

export const SCREENS: readonly Screen[] = [
  { to: '/', press: 'g', name: 'Today', role: 'floor', Icon: IconHome },
  { to: '/board', press: 'b', name: 'Board', role: 'floor', Icon: IconLayoutList },
  { to: '/station', press: 't', name: 'Station', role: 'floor', Icon: IconScan },
  { to: '/labels', press: 'l', name: 'Labels', role: 'floor', Icon: IconTruckDelivery },
  { to: '/accounts', press: 'a', name: 'Accounts', role: 'office', Icon: IconUsers },
  { to: '/invoices', press: 'i', name: 'Invoices', role: 'office', Icon: IconReceipt },
  { to: '/payments', press: 'y', name: 'Payments', role: 'office', Icon: IconCoins },
  { to: '/sends', press: 'm', name: 'Mails', role: 'office', Icon: IconMail },
  { to: '/deliveries', press: 'd', name: 'Webhooks', role: 'office', Icon: IconWebhook },
  { to: '/catalogue', press: 'c', name: 'Catalogue', role: 'office', Icon: IconBook2 },
  { to: '/prices', press: 'p', name: 'Prices', role: 'admin', Icon: IconTag },
  { to: '/audit', press: 'u', name: 'Audit', role: 'admin', Icon: IconHistory },
  { to: '/settings', press: 's', name: 'Settings', role: 'office', Icon: IconSettings },
];

/** The menu on the left. `close` hides it again on a phone. */
export function Menu({ close }: { close: () => void }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [environment, choose] = useEnvironment();
  const { data: failing = 0 } = useCountOfFailingEndpoints(environment, useHasRole('office'));
  return (
    <>
      {SCREENS.map((screen) => (
        <div key={screen.to}>
          <ScreenLink {...screen} active={isAt(path, screen.to)} close={close} count={screen.to === '/deliveries' ? failing : 0} />
          {screen.to === '/board' && <BoardLinks environment={environment} close={close} />}
        </div>
      ))}
      <SegmentedControl
        mt="md"
        size="xs"
        aria-label="Environment"
        value={environment}
        onChange={(value) => choose(value as Environment)}
        data={[
          { value: 'live', label: 'Live' },
          { value: 'test', label: 'Test' },
        ]}
      />
      <Profile close={close} />
    </>
  );
}

interface ScreenLinkProps extends Screen {
  active: boolean;
  close: () => void;
  /** How many webhook endpoints fail. */
  count: number | string;
}

function ScreenLink({ to, press, name, role, Icon, active, close, count }: ScreenLinkProps) {
  const may = useHasRole(role);
  const navigate = useNavigate();
  useShortcuts(may ? [[press, () => void navigate({ to })]] : []);
  if (!may) return null;
  return (
    <NavLink
      component={Link}
      to={to}
      label={name}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
      rightSection={count !== 0 && <Count count={count} color="red" />}
      aria-description={count === 0 ? undefined : `${count} failing`}
      aria-keyshortcuts={press}
      active={active}
      variant="filled"
      aria-current={active ? 'page' : undefined}
      onClick={close}
    />
  );
}

/** The orders that need work, as filters of the board. A filter without orders is not shown. */
function BoardLinks({ environment, close }: { environment: Environment; close: () => void }) {
  const { data } = useOrderCounts(environment);
  if (data === undefined) return null;
  const { byStatus, late } = data;
  const filters = [
    { name: 'Late', count: late, color: 'red', search: { late: 'true' }, Icon: IconClock },
    { name: 'To start', count: byStatus.received, color: 'indigo', search: { status: 'received' }, Icon: IconPlayerPlay },
    { name: 'On hold', count: byStatus.on_hold, color: 'yellow', search: { status: 'on_hold' }, Icon: IconPlayerPause },
  ];
  return filters
    .filter(({ count }) => count > 0)
    .map(({ name, count, color, search, Icon }) => (
      <NavLink
        key={name}
        renderRoot={(props) => <Link to="/board" search={search} {...props} />}
        pl="xl"
        py={4}
        label={name}
        leftSection={<Icon size={14} stroke={1.6} aria-hidden />}
        rightSection={<Count count={count} color={color} />}
        onClick={close}
      />
    ));
}

function Count({ count, color }: { count: number | string; color: string }) {
  return (
    <Badge size="sm" variant="light" color={color} className="money">
      {typeof count === 'number' ? formatCount(count) : count}
    </Badge>
  );
}

/** Orders are opened from the board, so the board is marked for them too. */
function isAt(path: string, to: string): boolean {
  if (to === '/') return path === '/';
  return path.startsWith(to) || (to === '/board' && path.startsWith('/orders'));
}

function Profile({ close }: { close: () => void }) {
  const { name, role, kind } = useSession();
  return (
    <Group mt="auto" gap={4} p="xs">
      <Text size="sm" className="anywhere" title={name}>
        {personName(name)} ({kind === 'station' ? 'Station' : statusLabel(role)})
      </Text>
      {kind !== 'station' && (
        <>
          <Anchor component={Link} to="/sessions" size="xs" underline="always" onClick={close}>
            Your sessions
          </Anchor>
          <SignOut />
        </>
      )}
    </Group>
  );
}

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ['Ctrl K', 'Search'],
  ['/', 'Search'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['enter', 'Open the row'],
  ['x', 'Select the row'],
  ...SCREENS.map(({ press, name }) => [press, `Go to ${name}`] as const),
  ['?', 'Show these shortcuts'],
  ['esc', 'Close, or leave a field'],
];

export function ShortcutsButton() {
  const [opened, { open, close }] = useDisclosure(false);
  useShortcuts([
    ['?', open],
    ['shift+?', open],
  ]);
  return (
    <>
      <Button size="xs" variant="default" onClick={open} visibleFrom="sm" rightSection={<Kbd size="xs">?</Kbd>}>
        Shortcuts
      </Button>
      <Dialog opened={opened} onClose={close} closeOnClickOutside title="Shortcuts">
        <Table>
          <Table.Tbody>
            {KEYS.map(([key, does]) => (
              <Table.Tr key={key}>
                <Table.Th scope="row" w={90}>
                  <Kbd>{key}</Kbd>
                </Table.Th>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Dialog>
    </>
  );
}
