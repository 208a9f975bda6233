import { ConfigError, loadConfig } from '../../../src/config/config';
import { TIMEOUTS } from '../../../src/db/data-source';
import { settingsByProductionRule } from '../../../src/config/settings';
import { numberInWords, readPage } from './markdown';

it('production requires exactly the settings in the table', () => {
  const findMissingSettings = (): string[] => {
    try {
      loadConfig({});
    } catch (error) {
      if (error instanceof ConfigError) return error.problems.map((problem) => problem.split(' ', 1)[0] ?? '');
      throw error;
    }
    return [];
  };
  expect(findMissingSettings().toSorted()).toEqual(settingsByProductionRule('needed').toSorted());
});

it('the PostgreSQL limits in operations match those of the connections', () => {
  const { lock_timeout: lock, statement_timeout: statement, idle_in_transaction_session_timeout: idle } = TIMEOUTS;
  const [forLock, forStatement, forIdle] = [lock, statement, idle].map((ms) => numberInWords(ms / 1000));
  expect(readPage('docs/operations.md').text.replaceAll('\n', ' ')).toContain(
    `${forLock} seconds for a lock, ${forStatement} for a statement, ${forIdle} for an idle transaction`,
  );
});
