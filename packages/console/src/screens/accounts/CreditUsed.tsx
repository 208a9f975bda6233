import { Progress, Text } from '@mantine/core';
import { formatMoney } from '../../shared/amount';
import { creditLevel, creditLevelSuffix, usedInPercent } from '../../shared/money';
import { type Account, formatLimit } from './account-form';

const COLOURS = { 'in reach': 'teal', 'nearly used up': 'orange', 'used up': 'red' } as const;

/** The used share of the credit limit, in words and as a bar. */
export function CreditUsed({ account: { name, creditLimitCents, currency }, usedBps }: { account: Account; usedBps: number | null }) {
  if (!creditLimitCents || usedBps === null) return <>{formatLimit(creditLimitCents, currency)}</>;
  return (
    <div>
      <Text inherit span>
        {usedInPercent(usedBps)} of {formatMoney(creditLimitCents, currency)}
        {creditLevelSuffix(usedBps)}
      </Text>
      <Progress.Root size="sm" miw={110}>
        <Progress.Section
          value={Math.min(100, usedBps / 100)}
          color={COLOURS[creditLevel(usedBps)]}
          aria-label={`Credit used by ${name}`}
        />
      </Progress.Root>
    </div>
  );
}
