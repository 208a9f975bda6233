import { Checkbox, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { centsOf, formatMoney } from '../../../shared/amount';
import { Nothing } from '../../../shared/told';
import { When } from '../../../shared/when';
import type { Open, Ticked } from './shares';

interface ShareFormProps {
  open: readonly Open[];
  amountCents: number;
  ticked: Ticked;
  change: (ticked: Ticked) => void;
  currency: string;
}

const MANY = 6;

/** The invoices that are still to be paid, to tick, each with the amount that goes to it. */
export function ShareForm({ open, amountCents, ticked, change, currency }: ShareFormProps) {
  if (open.length === 0) return <Nothing>No invoice is open: all of it becomes credit of the account.</Nothing>;
  const tick = (invoice: Open, on: boolean): void => {
    const { [invoice.invoiceNumber]: _before, ...others } = ticked;
    if (!on) return change(others);
    const left = amountCents - Object.values(others).reduce((sum, typed) => sum + (centsOf(typed) ?? 0), 0);
    const share = left > 0 ? Math.min(left, invoice.dueCents) : invoice.dueCents;
    change({ ...others, [invoice.invoiceNumber]: formatMoney(share, '').trim() });
  };
  const rows = (
    <Stack gap={6}>
      {open.map((invoice) => (
        <One key={invoice.invoiceNumber} invoice={invoice} ticked={ticked} tick={tick} change={change} currency={currency} />
      ))}
    </Stack>
  );
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={500} mb={4}>
        Invoices that it pays. Tick none, and the oldest are paid first.
      </Text>
      {open.length > MANY ? <ScrollArea.Autosize mah={260}>{rows}</ScrollArea.Autosize> : rows}
    </fieldset>
  );
}

interface OneProps extends Pick<ShareFormProps, 'ticked' | 'change' | 'currency'> {
  invoice: Open;
  tick: (invoice: Open, on: boolean) => void;
}

function One({ invoice, ticked, tick, change, currency }: OneProps) {
  const { invoiceNumber: number, dueCents, dueAt, overdue } = invoice;
  const typed = ticked[number];
  const cents = centsOf(typed ?? '');
  return (
    <Group gap="sm" justify="space-between" align="start">
      <Checkbox
        label={
          <>
            <b>{number}</b> {formatMoney(dueCents, currency)} open, due <When at={dueAt} />
            {overdue && <b> overdue</b>}
          </>
        }
        checked={typed !== undefined}
        onChange={(event) => tick(invoice, event.currentTarget.checked)}
      />
      {typed !== undefined && (
        <TextInput
          aria-label={`Amount for ${number}, in ${currency}`}
          size="xs"
          w={120}
          inputMode="decimal"
          error={(cents === null || cents <= 0 || cents > dueCents) && 'Up to what is open'}
          value={typed}
          onChange={(event) => change({ ...ticked, [number]: event.currentTarget.value })}
        />
      )}
    </Group>
  );
}
