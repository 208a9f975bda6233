import { Progress, Text } from '@mantine/core';
import { formatMoney } from '../../shared/money';
import { percentOf, type Account } from './draft';

const WARN_BPS = 9_000;
const WHOLE_BPS = 10_000;

/** How much of its credit an account uses, in words and as a bar. What is outstanding, of its limit: credit does not widen it. */
export function CreditUsed({ account, standing, currency }: { account: Account; standing: Account['live']; currency?: string }) {
  const { creditLimitCents: limit } = account;
  const { usedBps } = standing;
  if (limit === null || usedBps === null) return <>Without limit</>;
  if (limit === 0) return <>No credit</>;
  const words = `${percentOf(Math.floor(usedBps / 10) * 10)} of ${formatMoney(limit, currency)}`;
  const colour = usedBps >= WHOLE_BPS ? 'red' : usedBps > WARN_BPS ? 'orange' : 'teal';
  return (
    <div>
      <Text size="sm" span>
        {words}
        {usedBps >= WHOLE_BPS ? ': used up' : usedBps > WARN_BPS ? ': nearly used up' : ''}
      </Text>
      <Progress.Root size="sm" miw={110}>
        <Progress.Section value={Math.min(100, usedBps / 100)} color={colour} aria-label={`Credit used by ${account.name}`} />
      </Progress.Root>
    </div>
  );
}
