import { Alert, Text } from '@mantine/core';
import type { Of } from '../../api/types';
import type { Endpoint } from '../../endpoints/endpoint';
import { errorWords, whatHelps } from '../../endpoints/words';
import { When } from '../../shared/when';

interface StandingProps {
  delivery: Of<'DeliveryDetail'>;
  endpoint: Endpoint | null;
  isDeleted: boolean;
}

const COLOURS = { pending: 'indigo', delivered: 'green', failed: 'red', held: 'yellow' } as const;

/** Why a delivery is where it is, and what happens next. */
export function Standing(props: StandingProps) {
  const { state, lastErrorCode, lastStatus } = props.delivery;
  const helps = state === 'delivered' || lastErrorCode === null ? null : whatHelps(lastErrorCode);
  return (
    <Alert color={COLOURS[state]} variant="light" role="status">
      <Text size="sm">
        <What {...props} />
      </Text>
      {state !== 'delivered' && lastErrorCode !== null && (
        <Text size="sm">
          Why: {errorWords(lastErrorCode, lastStatus)}. {helps}
        </Text>
      )}
    </Alert>
  );
}

function What({ delivery, endpoint, isDeleted }: StandingProps) {
  switch (delivery.state) {
    case 'delivered':
      return (
        <>
          It arrived at <When at={delivery.completedAt} />, {arrivedWith(delivery)}. Nothing more happens.
        </>
      );
    case 'pending':
      return <Pending delivery={delivery} />;
    case 'failed':
      return (
        <>
          Given up at <When at={delivery.completedAt} /> after {times(delivery.attemptCount)}
          <Lasted delivery={delivery} />
          {sinceOf(delivery)}. Nothing more happens by itself: once their server works, resend it, or recover all of its endpoint.
        </>
      );
    case 'held':
      return <>{heldWords(endpoint, isDeleted)}</>;
  }
}

function Pending({ delivery: { attemptCount, attemptsInChain, nextAttemptAt, lastAttemptDueAt, chain } }: Pick<StandingProps, 'delivery'>) {
  if (attemptCount === 0) return <>{chain > 1 ? 'It is about to be sent again.' : 'It is about to be sent for the first time.'}</>;
  return (
    <>
      Tried {attemptCount} of {Math.max(attemptsInChain, attemptCount)} times{sinceOf({ chain })}; the next attempt is at{' '}
      <When at={nextAttemptAt} />. If none arrives it is given up at <When at={lastAttemptDueAt} />.
    </>
  );
}

/** How long the present chain was tried, from its first attempt to its last. */
function Lasted({ delivery: { attempts, chain } }: Pick<StandingProps, 'delivery'>) {
  const own = attempts.filter((attempt) => attempt.chain === chain);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  return <> over {lasting(Date.parse(last.at) - Date.parse(first.at))}</>;
}

function heldWords(endpoint: Endpoint | null, isDeleted: boolean): string {
  if (isDeleted) return 'Held: its endpoint was deleted before it arrived. Nothing more happens.';
  if (endpoint?.state === 'enabled')
    return 'Held while its endpoint was disabled. It is enabled again, but what was held is not sent by itself: resend it, or recover all of its endpoint.';
  return 'Held: its endpoint is disabled, so nothing is sent there and nothing is lost. Enable the endpoint below, then recover what is held.';
}

const times = (count: number): string => (count === 1 ? 'one attempt' : `${count} attempts`);
const FIRST = ['first', 'second', 'third'] as const;

/** Attempts are numbered over all there were, which is how they are counted below; after a resend those of before count no longer. */
function arrivedWith({ attempts, attemptCount, chain }: StandingProps['delivery']): string {
  if (chain === 1) return attemptCount === 1 ? 'with the first attempt' : `with attempt ${attemptCount}`;
  const nth = FIRST[attemptCount - 1] ?? `${attemptCount}th`;
  return `with attempt ${Math.max(attempts.length, attemptCount)}, the ${nth} after it was sent again`;
}

const sinceOf = ({ chain }: { chain: number }): string => (chain > 1 ? ' since it was sent again' : '');

/** `about 17 hours`, `about 3 minutes`. */
function lasting(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 90) return `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return `about ${Math.round(minutes / 60)} hours`;
}
