import { Alert, Anchor, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type BodyOf, callApi, studio } from '../../api/studio';
import { useEnvironment } from '../../session/environment';
import { useHasRole } from '../../session/session';
import { Action, useActionForm } from '../../shared/action';
import { Loaded } from '../../shared/feedback';
import { DayInput } from '../../shared/inputs';
import { Money } from '../../shared/money';
import { Notes } from '../../shared/notes';
import { FactList, Panel } from '../../shared/layout';
import { ownValue } from '../../shared/own-value';
import { CLIENT_NOT_NOTIFIED, plural } from '../../shared/words';
import { TextLink } from '../../shared/text-link';
import { Day, Time } from '../../shared/time';
import { EditAccount } from './AccountForm';
import { type Account, formatLimit, formatPercent, READY_MAILS } from './account-form';
import { Billing, Contacts } from './Billing';
import { CreditUsed } from './CreditUsed';

export function Overview({ account }: { account: Account }) {
  const isAdmin = useHasRole('admin');
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Details account={account} />
        <Balance account={account} />
        <Billing account={account} />
        <Contacts account={account} />
      </SimpleGrid>
      <AccountReminders account={account} />
      <Notes of="accounts" id={account.id} />
      <Access account={account} />
      {isAdmin && <PersonalData account={account} />}
    </Stack>
  );
}

function Details({ account }: { account: Account }) {
  return (
    <Panel title="Details" beside={<EditAccount account={account} />}>
      <FactList
        facts={{
          Name: account.name,
          Email: (
            <Anchor inherit href={`mailto:${account.email}`}>
              {account.email}
            </Anchor>
          ),
          'Trade discount': formatPercent(account.tradeDiscountBps),
          'Credit limit': formatLimit(account.creditLimitCents, account.currency),
          'Payment terms': `${account.paymentTermsDays} days`,
          'Email when ready to collect': ownValue(READY_MAILS, account.readyMail) ?? account.readyMail,
          Created: <Time at={account.createdAt} />,
        }}
      />
    </Panel>
  );
}

function Balance({ account }: { account: Account }) {
  const [environment] = useEnvironment();
  const { currency } = account;
  const { outstandingCents, creditCents, availableCents, usedBps } = account[environment];
  return (
    <Panel title={environment === 'test' ? 'Balance of test orders' : 'Balance'}>
      <FactList
        facts={{
          Outstanding: <Money cents={outstandingCents} currency={currency} />,
          Credit: <Money cents={creditCents} currency={currency} />,
          'Available to order': availableCents === null ? 'Unlimited' : <Money cents={availableCents} currency={currency} />,
          'Credit used': <CreditUsed account={account} usedBps={usedBps} />,
        }}
      />
      <Text size="sm" mt="sm">
        <TextLink to="/board" search={{ accountId: account.id }}>
          View orders
        </TextLink>
      </Text>
    </Panel>
  );
}

/** The status and the API access. */
function Access({ account }: { account: Account }) {
  const { apiAccess } = account;
  const isActive = account.status === 'active';
  return (
    <Panel title="Access">
      <Stack gap="sm">
        <Switch
          account={account}
          text={isActive ? 'Active. New orders are accepted.' : 'Suspended. New orders are refused.'}
          label={isActive ? 'Suspend account' : 'Activate account'}
          isOn={isActive}
          body={{ status: isActive ? 'suspended' : 'active' }}
        />
        <Switch
          account={account}
          text={apiAccess ? 'API access is on.' : 'API access is off. API keys are refused.'}
          label={apiAccess ? 'Disable API access' : 'Enable API access'}
          isOn={apiAccess}
          body={{ apiAccess: !apiAccess }}
        />
      </Stack>
    </Panel>
  );
}

/** Whether the account gets reminders, and when. */
function AccountReminders({ account }: { account: Account }) {
  const { id, reminders } = account;
  const query = useQuery({
    queryKey: ['account', id, 'reminders'],
    queryFn: () => callApi(studio.GET('/accounts/{id}/reminders', { params: { path: { id } } })),
  });
  return (
    <Panel title="Reminders">
      <Loaded query={query} what="Loading the reminders">
        {({ next, last }) => (
          <FactList
            facts={{
              Next: next === null ? 'None planned' : <ReminderAt step={next.step} at={<Day day={next.on} />} />,
              Last: last === null ? 'None' : <ReminderAt step={last.step} at={<Time at={last.sentAt} />} />,
            }}
          />
        )}
      </Loaded>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {reminders ? 'On. The account gets mails about overdue invoices.' : 'Off. The account gets no mails about overdue invoices.'}
        </Text>
        <Action
          key={String(reminders)}
          label={reminders ? 'Turn off reminders' : 'Turn on reminders'}
          consequences={[
            reminders
              ? 'No further reminder is sent, also none that waits already.'
              : 'From the next morning on, the service mails the account its overdue invoices.',
          ]}
          retry="safe"
          run={() => callApi(studio.PATCH('/accounts/{id}', { params: { path: { id } }, body: { reminders: !reminders } }))}
          toast={(changed) => `Reminders of ${changed.name} are ${changed.reminders ? 'on' : 'off'}`}
        />
      </Group>
    </Panel>
  );
}

const ReminderAt = ({ step, at }: { step: number; at: React.ReactNode }) => (
  <>
    Step {step}, {at}
  </>
);

interface SwitchProps {
  account: Account;
  text: string;
  label: string;
  isOn: boolean;
  body: BodyOf<'changeAccount'>;
}

/** A setting in words with the action that changes it. The key keeps React from reusing the dialog of the opposite action. */
function Switch({ account: { id, name }, text, label, isOn, body }: SwitchProps) {
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm">{text}</Text>
      <Action
        key={label}
        label={label}
        consequences={[
          isOn
            ? `The service refuses all API keys of ${name}: no prices, no new orders, no cancellations. Existing orders and their webhooks continue.`
            : `${name} can order again with its API keys.`,
          CLIENT_NOT_NOTIFIED,
        ]}
        retry="safe"
        run={() => callApi(studio.PATCH('/accounts/{id}', { params: { path: { id } }, body }))}
        toast={(changed) => `${changed.name} updated`}
        danger={isOn}
      />
    </Group>
  );
}

const erase = (id: string, body: { before: string; dryRun: boolean }) =>
  callApi(studio.POST('/accounts/{id}/erase', { params: { path: { id } }, body }));

/** Each call works for some seconds. Repeating it erases the rest. */
async function eraseAll(id: string, before: string): Promise<void> {
  const { complete } = await erase(id, { before, dryRun: false });
  if (complete === false) await eraseAll(id, before);
}

function PersonalData({ account }: { account: Account }) {
  const form = useActionForm(
    () => ({ before: '', isConfirmed: false }),
    ({ before, isConfirmed }) => ({
      before: before === '' && 'Enter a day',
      isConfirmed: !isConfirmed && 'Confirm that you want to erase the data',
    }),
  );
  const { before } = form.values;
  const count = useQuery({
    queryKey: ['erasable', account.id, before],
    queryFn: () => erase(account.id, { before, dryRun: true }),
    enabled: before !== '',
    gcTime: 0,
  });
  const found =
    count.data === undefined ? 0 : count.data.orders + count.data.quotes + count.data.artwork + count.data.mails + count.data.notes;
  const problem = before !== '' && found === 0 ? 'Nothing to erase' : form.action.notReadyReason;
  return (
    <Panel title="Personal data">
      <Group justify="space-between" gap="sm">
        <Text size="sm">Names, addresses and artwork of the client’s customers in settled orders.</Text>
        <Action
          label="Erase personal data"
          danger
          consequences={[
            'Erases names, addresses, notes and artwork of completed and cancelled orders, and of expired quotes. Deletes notes on the account.',
            `Numbers, invoices and the audit log remain. You cannot undo this. ${CLIENT_NOT_NOTIFIED}`,
          ]}
          retry="safe"
          run={() => eraseAll(account.id, before)}
          toast={() => 'Personal data erased'}
          {...form.action}
          ready={problem === undefined}
          notReadyReason={problem}
        >
          <DayInput
            label="Placed before"
            withAsterisk
            clearable={false}
            {...form.field('before')}
            onChange={(day: string) => form.setValues({ before: day, isConfirmed: false })}
          />
          {before !== '' && (
            <Loaded query={count} what="Counting">
              {({ orders, quotes, artwork, mails, notes }) => (
                <Alert color={found === 0 ? 'gray' : 'orange'} role="status">
                  To erase: personal data of {plural(orders, 'order')} and {plural(quotes, 'quote')}, {plural(artwork, 'picture')},{' '}
                  {plural(mails, 'mail')}, and {plural(notes, 'note')} on the account.
                </Alert>
              )}
            </Loaded>
          )}
          {found > 0 && <Checkbox label="Erase all of it" {...form.getInputProps('isConfirmed', { type: 'checkbox' })} />}
        </Action>
      </Group>
    </Panel>
  );
}
