import { Alert, List, Text } from '@mantine/core';
import { formatMoney } from '../../../shared/amount';
import type { Plan } from './shares';

const SHOWN = 8;

/** What would become of the amount, before anything is sent. */
export function PlanShown({ plan: { shares, restCents, problem }, currency }: { plan: Plan; currency: string }) {
  if (problem !== undefined)
    return (
      <Alert color="orange" role="status">
        {problem}
      </Alert>
    );
  const more = shares.length - SHOWN;
  return (
    <Alert color="gray" role="status" title="What becomes of it">
      <List size="sm">
        {shares.slice(0, SHOWN).map(({ invoiceNumber, amountCents, dueCents }) => (
          <List.Item key={invoiceNumber}>
            {invoiceNumber}: {formatMoney(amountCents, currency)}
            {amountCents === dueCents ? ', which pays it' : ` of ${formatMoney(dueCents, currency)}, the rest stays open`}
          </List.Item>
        ))}
        {more > 0 && <List.Item>and {more} more</List.Item>}
      </List>
      <Text size="sm" fw={600}>
        {restCents === 0 ? 'Nothing is left over.' : `${formatMoney(restCents, currency)} is left, and becomes credit of the account.`}
      </Text>
    </Alert>
  );
}
