import { ScrollArea, Text } from '@mantine/core';
import type { Of } from '../../api/types';
import { Reply } from '../../endpoints/EndpointActions';
import { errorWords } from '../../endpoints/words';
import { known } from '../../shared/known';
import { Section } from '../../shared/section';
import { capital, wordsOf } from '../../shared/status';
import { Nothing } from '../../shared/told';
import { When } from '../../shared/when';

type Attempt = Of<'Attempt'>;

const TRIGGERS: Readonly<Record<Of<'Delivery'>['trigger'], string>> = {
  automatic: 'By itself',
  resend: 'Resent by the studio',
  recover: 'Recovered by the studio',
};

const ROWS: readonly { heading: string; cell: (attempt: Attempt) => React.ReactNode }[] = [
  { heading: 'When', cell: ({ at }) => <When at={at} withDay /> },
  { heading: 'Why then', cell: ({ trigger, number }) => (number > 1 ? 'Tried again' : (known(TRIGGERS, trigger) ?? wordsOf(trigger))) },
  { heading: 'Came of it', cell: (attempt) => <Outcome attempt={attempt} /> },
  { heading: 'Status', cell: ({ status }) => status ?? 'No answer' },
  { heading: 'Milliseconds', cell: ({ timings }) => <Phases timings={timings} /> },
  { heading: 'Their answer', cell: ({ replyExcerpt }) => <Reply text={replyExcerpt} /> },
  { heading: 'Next attempt', cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? 'None' : <When at={nextAttemptAt} />) },
];

export function Attempts({ delivery }: { delivery: Of<'DeliveryDetail'> }) {
  const attempts = delivery.attempts.toReversed();
  return (
    <Section title="Attempts" size="h4">
      {attempts.length === 0 ? (
        <Nothing>None yet: the first is made at once, unless its endpoint is disabled.</Nothing>
      ) : (
        <Beside attempts={attempts} />
      )}
    </Section>
  );
}

function Beside({ attempts }: { attempts: readonly Attempt[] }) {
  const severalChains = new Set(attempts.map(({ chain }) => chain)).size > 1;
  return (
    <ScrollArea.Autosize type="auto" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': 'Attempts side by side, newest first' }}>
      <div className="beside">
        {attempts.map((attempt) => (
          <dl key={`${attempt.chain}-${attempt.number}`} className="attempt">
            <div>
              <dt>Attempt</dt>
              <dd>
                <strong>{attempt.number}</strong>
                {severalChains && ` of round ${attempt.chain}`}
              </dd>
            </div>
            {ROWS.map(({ heading, cell }) => (
              <div key={heading}>
                <dt>{heading}</dt>
                <dd>{cell(attempt)}</dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
    </ScrollArea.Autosize>
  );
}

function Outcome({ attempt: { ok, errorCode, status } }: { attempt: Attempt }) {
  if (ok) return <span>✓ Arrived</span>;
  return <span>✗ {capital(errorWords(errorCode ?? '', status))}</span>;
}

const PHASES: readonly { key: string; words: string }[] = [
  { key: 'dnsMs', words: 'finding its name' },
  { key: 'connectMs', words: 'connecting' },
  { key: 'tlsMs', words: 'securing' },
  { key: 'firstByteMs', words: 'waiting for the answer' },
];

function Phases({ timings }: { timings: Of<'Attempt'>['timings'] }) {
  const reached = PHASES.filter(({ key }) => typeof timings[key] === 'number');
  return (
    <>
      <div>{msOf(timings.totalMs)} in all</div>
      {reached.map(({ key, words }) => (
        <Text key={key} size="xs">
          {msOf(timings[key])} {words}
        </Text>
      ))}
    </>
  );
}

const msOf = (ms: number | null | undefined): string => (typeof ms === 'number' ? ms.toLocaleString('en-AU') : '–');
