import { useFixture } from '../../../support/fixtures';
import { Stack, type StackOptions } from './stack';

/** A running stack for the tests of this file. Its options may read what was started before. */
export function useStack(options: () => Partial<StackOptions> = () => ({})): Stack {
  const stack = useFixture(
    () => Stack.create({ services: 'source', postgresSettings: { fsync: 'off' }, ...options() }),
    (created) => created.close(),
  );
  beforeAll(() => stack.start());
  return stack;
}
