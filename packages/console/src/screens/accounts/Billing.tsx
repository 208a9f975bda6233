import { Box, Group, NativeSelect, TextInput } from '@mantine/core';
import { type BodyOf, callApi, studio } from '../../api/studio';
import { Action, singleSpaced, trimToUndefined, useActionForm } from '../../shared/action';
import { addressLines } from '../../shared/address-lines';
import { FactList, Panel } from '../../shared/layout';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { CLIENT_NOT_NOTIFIED, statusLabel } from '../../shared/words';
import type { Account } from './account-form';

const change = (id: string, body: BodyOf<'changeAccount'>) => callApi(studio.PATCH('/accounts/{id}', { params: { path: { id } }, body }));

/** What invoices show of the account, and the default of its orders. */
export function Billing({ account }: { account: Account }) {
  const { billingAddress, abn, defaultReference } = account;
  return (
    <Panel title="Billing" beside={<EditBilling account={account} />}>
      <FactList
        facts={{
          'Billing address':
            billingAddress === null ? (
              'None'
            ) : (
              <Box style={{ whiteSpace: 'pre-line' }}>{addressLines({ ...billingAddress, name: '' }).join('\n')}</Box>
            ),
          ABN: abn ?? 'None',
          'Default reference': defaultReference ?? 'None',
        }}
      />
    </Panel>
  );
}

const NO_ADDRESS = { line1: '', line2: '', city: '', state: '', postcode: '', country: 'AU' };
const ADDRESS_FIELDS = [
  ['line1', 'Street'],
  ['line2', 'Unit, floor or building'],
  ['city', 'City'],
  ['state', 'State'],
  ['postcode', 'Postcode'],
  ['country', 'Country code'],
] as const;

function EditBilling({ account }: { account: Account }) {
  const { id, name, abn, defaultReference, billingAddress } = account;
  const form = useActionForm(
    () => ({
      ...NO_ADDRESS,
      ...billingAddress,
      line2: billingAddress?.line2 ?? '',
      abn: abn ?? '',
      defaultReference: defaultReference ?? '',
    }),
    (values) => ({
      address: hasAddress(values) && isIncomplete(values) && 'Complete the address, or leave it empty',
    }),
  );
  const run = () => {
    const { abn: typedAbn, defaultReference: reference, ...address } = form.values;
    const line2 = trimToUndefined(address.line2) ?? null;
    return change(id, {
      billingAddress: hasAddress(address) ? { ...address, line2 } : null,
      abn: trimToUndefined(singleSpaced(typedAbn)) ?? null,
      defaultReference: trimToUndefined(reference) ?? null,
    });
  };
  return (
    <Action
      label="Edit"
      confirm="Save"
      target="billing"
      title={`Edit billing of ${name}`}
      consequences={[`New invoices show these details. Issued invoices keep theirs. ${CLIENT_NOT_NOTIFIED}`]}
      retry="safe"
      run={run}
      toast={(changed) => `${changed.name} updated`}
      {...form.action}
    >
      {(issues) => (
        <>
          {ADDRESS_FIELDS.map(([field, label]) => (
            <TextInput
              key={field}
              label={label}
              maxLength={field === 'country' ? 2 : 200}
              {...form.field(field)}
              error={issues.find(({ path }) => path === `billingAddress.${field}`)?.message}
            />
          ))}
          <TextInput
            label="ABN"
            description="11 digits"
            maxLength={40}
            {...form.field('abn')}
            error={issues.find(({ path }) => path === 'abn')?.message}
          />
          <TextInput
            label="Default reference"
            description="For orders without a reference, such as a standing purchase order."
            maxLength={128}
            {...form.field('defaultReference')}
          />
        </>
      )}
    </Action>
  );
}

type AddressValues = Record<keyof typeof NO_ADDRESS, string>;

/** Only the country has a value from the start. */
const hasAddress = ({ country: _country, line1, line2, city, state, postcode }: AddressValues): boolean =>
  [line1, line2, city, state, postcode].some((text) => text.trim() !== '');

const isIncomplete = ({ line1, city, state, postcode, country }: AddressValues): boolean =>
  [line1, city, state, postcode, country].some((text) => text.trim() === '');

type Contact = Account['contacts'][number];

/** The contract has the known roles in requests only. */
const replaceContacts = (id: string, contacts: readonly Contact[]) => change(id, { contacts } as BodyOf<'changeAccount'>);

export function Contacts({ account }: { account: Account }) {
  const { contacts } = account;
  const without = (removed: Contact) => contacts.filter((contact) => contact !== removed);
  const columns: readonly RowsColumn<Contact>[] = [
    { heading: 'Name', wrap: true, cell: ({ name }) => name },
    { heading: 'Role', cell: ({ role }) => statusLabel(role) },
    { heading: 'Email', wrap: true, cell: ({ email }) => <a href={`mailto:${email}`}>{email}</a> },
    { heading: 'Phone', cell: ({ phone }) => phone },
    {
      heading: '',
      cell: (contact) => (
        <Group gap="xs" wrap="nowrap">
          <ContactDialog account={account} contact={contact} others={without(contact)} />
          <Action
            label="Remove"
            target={contact.name}
            title={`Remove ${contact.name}`}
            danger
            consequences={[
              `The contact gets no further mails, except documents that you have already sent and that wait for the mail server. ${CLIENT_NOT_NOTIFIED}`,
            ]}
            retry="safe"
            run={() => replaceContacts(account.id, without(contact))}
            toast={() => `${contact.name} removed`}
            button={{ size: 'compact-xs' }}
          />
        </Group>
      ),
    },
  ];
  return (
    <Panel title="Contacts" beside={<ContactDialog account={account} others={contacts} />}>
      <StaticTable
        label="Contacts"
        rows={contacts}
        columns={columns}
        keyOf={({ name, role, email }) => `${name} ${role} ${email}`}
        empty="No contacts. Mails go to the email address of the account."
      />
    </Panel>
  );
}

const ROLES = [
  { value: 'billing', label: 'Billing: gets invoices and statements' },
  { value: 'production', label: 'Production: answers questions about artwork' },
  { value: 'other', label: 'Other' },
];

/** Adds a contact, or changes one. */
function ContactDialog({ account, contact, others }: { account: Account; contact?: Contact; others: readonly Contact[] }) {
  const form = useActionForm(
    () => ({ name: '', role: 'billing', email: '', ...contact, phone: contact?.phone ?? '' }),
    ({ name, email }) => ({
      name: name.trim() === '' && 'Enter a name',
      email: !/^\S+@\S+$/.test(email.trim()) && 'Enter an email address',
    }),
  );
  const run = () => {
    const { name, role, email, phone } = form.values;
    return replaceContacts(account.id, [
      ...others,
      { name: name.trim(), role, email: email.trim(), phone: trimToUndefined(phone) ?? null },
    ]);
  };
  return (
    <Action
      label={contact === undefined ? 'Add contact' : 'Edit'}
      confirm="Save"
      {...(contact !== undefined && { target: contact.name, button: { size: 'compact-xs' } })}
      title={contact === undefined ? `Add contact of ${account.name}` : `Edit ${contact.name}`}
      consequences={[`Later mails go to these contacts. ${CLIENT_NOT_NOTIFIED}`]}
      retry="safe"
      run={run}
      toast={() => `${form.values.name.trim()} saved`}
      {...form.action}
    >
      <TextInput label="Name" withAsterisk maxLength={200} data-autofocus {...form.field('name')} />
      <NativeSelect label="Role" data={ROLES} {...form.field('role')} />
      <TextInput label="Email" type="email" withAsterisk maxLength={320} {...form.field('email')} />
      <TextInput label="Phone" maxLength={50} {...form.field('phone')} />
    </Action>
  );
}
