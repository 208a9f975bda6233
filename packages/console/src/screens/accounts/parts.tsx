import { Progress, Text, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { formatMoney } from '../../shared/amount';
import { creditStanding, standingInWords, usedInPercent } from '../../shared/money';
import { To } from '../../shared/to';
import { Nothing } from '../../shared/told';
import { When } from '../../shared/when';
import type { Account } from './draft';

interface ReversedProps {
  of: { reversedAt: string | null; reversalReason: string | null };
}

export function Reversed({ of: { reversedAt, reversalReason } }: ReversedProps) {
  if (reversedAt === null) return null;
  return (
    <>
      <When at={reversedAt} />: {reversalReason}
    </>
  );
}

/** Accounts and their money are the office's: to others nothing of it is asked for. */
export function OfficeOnly({ title, children }: { title: string; children: React.ReactNode }) {
  if (useMay('office')) return children;
  return (
    <>
      <Title order={1}>{title}</Title>
      <Nothing>Accounts and money are for the office. What you can work on is on the board.</Nothing>
    </>
  );
}

export function InvoiceLink({ accountId, number }: { accountId: string; number: string }) {
  return (
    <To to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'invoices', invoice: number }} fw={600}>
      {number}
    </To>
  );
}

export function PaymentLink({ accountId, paymentId }: { accountId: string; paymentId: string }) {
  return (
    <To to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'payments', payment: paymentId }} className="mono">
      {paymentId}
    </To>
  );
}

const COLOURS = { 'in reach': 'teal', 'nearly used up': 'orange', 'used up': 'red' } as const;

/** How much of its limit an account uses, in words and as a bar. */
export function CreditUsed({ account, standing }: { account: Account; standing: Account['live'] }) {
  const { creditLimitCents: limit, currency } = account;
  const { usedBps } = standing;
  if (limit === null || usedBps === null) return <>Without limit</>;
  if (limit === 0) return <>No credit</>;
  const words = `${usedInPercent(usedBps)} of ${formatMoney(limit, currency)}`;
  const colour = COLOURS[creditStanding(usedBps)];
  return (
    <div>
      <Text size="sm" span>
        {words}
        {standingInWords(usedBps)}
      </Text>
      <Progress.Root size="sm" miw={110}>
        <Progress.Section value={Math.min(100, usedBps / 100)} color={colour} aria-label={`Credit used by ${account.name}`} />
      </Progress.Root>
    </div>
  );
}
