import { Text } from '@mantine/core';
import type { Of } from '../../api/types';

const PHASES: readonly { key: string; words: string }[] = [
  { key: 'dnsMs', words: 'finding its name' },
  { key: 'connectMs', words: 'connecting' },
  { key: 'tlsMs', words: 'securing' },
  { key: 'firstByteMs', words: 'waiting for the answer' },
];

/** How long an attempt took in all, and each part that it came to. */
export function Phases({ timings }: { timings: Of<'Attempt'>['timings'] }) {
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
