import { Collapse, Fieldset, NumberInput, SimpleGrid, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { centsOf, formatMoney } from '../../../shared/amount';
import type { JobLine, Order, Pieces } from '../order';

interface AmountFieldProps {
  currency: string;
  /** Cents; no more than these may be put in. */
  most: number;
  of: string;
  value: string;
  onChange: (event: React.ChangeEvent<HTMLInputElement>) => void;
}

export function AmountField({ currency, most, of, value, onChange }: AmountFieldProps) {
  const cents = centsOf(value, currency);
  const fault =
    cents === null || cents <= 0
      ? 'An amount above 0, such as 12.50'
      : cents > most
        ? `More than ${of}: at most ${formatMoney(most, currency)}`
        : null;
  return (
    <TextInput
      label={`Amount in ${currency}`}
      description={`${formatMoney(most, currency)} ${of}`}
      required
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onChange={onChange}
      error={value.trim() === '' ? null : fault}
      data-autofocus
    />
  );
}

export const amountText = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

type Sent = Order['job']['shippingAddress'];
export type Address = Record<keyof Sent, string>;

const FIELDS: readonly { name: keyof Sent; label: string; optional?: true }[] = [
  { name: 'name', label: 'Name' },
  { name: 'company', label: 'Company', optional: true },
  { name: 'line1', label: 'Street and number' },
  { name: 'line2', label: 'Second line', optional: true },
  { name: 'city', label: 'City' },
  { name: 'state', label: 'State' },
  { name: 'postcode', label: 'Postcode' },
  { name: 'country', label: 'Country (two letters)' },
  { name: 'phone', label: 'Phone', optional: true },
  { name: 'email', label: 'E-mail' },
];

export const typedAddress = (address: Sent): Address =>
  Object.fromEntries(FIELDS.map(({ name }) => [name, address[name] ?? ''])) as Address;

/** As the API takes it: what is empty is left out. */
export function addressOf(typed: Address): Sent {
  const filled = FIELDS.filter(({ name, optional }) => optional !== true || typed[name].trim() !== '');
  return Object.fromEntries(filled.map(({ name }) => [name, typed[name].trim()])) as unknown as Sent;
}

export function AddressFields({ address, set }: { address: Address; set: (address: Address) => void }) {
  return (
    <Fieldset legend="Where it goes">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {FIELDS.map(({ name, label, optional }) => (
          <TextInput
            key={name}
            label={label}
            required={optional !== true}
            value={address[name]}
            onChange={(event) => set({ ...address, [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}

interface PieceFieldsProps {
  legend: string;
  lines: readonly JobLine[];
  most: readonly number[];
  counts: readonly number[];
  set: (counts: number[]) => void;
}

export function PieceFields({ legend, lines, most, counts, set }: PieceFieldsProps) {
  return (
    <Fieldset legend={legend}>
      <Stack gap="xs" mah="40dvh" style={{ overflowY: 'auto' }}>
        {lines.map((line, at) => (
          <NumberInput
            // Lines of an order neither move nor go away.
            // oxlint-disable-next-line react/no-array-index-key
            key={at}
            label={lineInShort(line, at)}
            description={`at most ${most[at] ?? 0} of ${line.quantity}`}
            min={0}
            max={most[at] ?? 0}
            clampBehavior="strict"
            allowDecimal={false}
            allowNegative={false}
            disabled={(most[at] ?? 0) === 0}
            value={counts[at] ?? 0}
            onChange={(value) => set(counts.map((count, other) => (other === at ? Number(value) || 0 : count)))}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

function lineInShort({ productName, words }: JobLine, at: number): string {
  const size = words.find(({ label }) => label === 'Size')?.value;
  return `Line ${at + 1}: ${[productName, size].filter((part) => part !== undefined).join(', ')}`;
}

/** As the API takes them: lines from zero, those of which there are any. */
export function piecesOf(counts: readonly number[]): Pieces[] {
  return counts.flatMap((quantity, line) => (quantity > 0 ? [{ line, quantity }] : []));
}

export function Fold({ label, children }: { label: string; children: React.ReactNode }) {
  const [opened, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <Stack gap="xs" align="stretch">
      <UnstyledButton fz="sm" td="underline" onClick={toggle} aria-expanded={opened} aria-controls={id} w="fit-content">
        {opened ? '▾' : '▸'} {label}
      </UnstyledButton>
      <Collapse expanded={opened} id={id}>
        {children}
      </Collapse>
    </Stack>
  );
}
