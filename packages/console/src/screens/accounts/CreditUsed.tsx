import { Progress, Text } from '@mantine/core';
import { formatMoney } from '../../shared/amount';
import { creditStanding, standingInWords, usedInPercent } from '../../shared/credit';
import type { Account } from './draft';

const COLOURS = { 'in reach': 'teal', 'nearly used up': 'orange', 'used up': 'red' } as const;

/** How much of its credit an account uses, in words and as a bar. What is outstanding, of its limit: credit does not widen it. */
export function CreditUsed({ account, standing, currency }: { account: Account; standing: Account['live']; currency?: string }) {
  const { creditLimitCents: limit } = account;
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
