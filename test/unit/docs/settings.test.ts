import { ConfigError, loadConfig } from '../../../src/config';
import { TIMEOUTS } from '../../../src/db/data-source';
import { settingsThatProduction } from '../../../src/settings';
import { inWords, readPage } from './markdown';

it('production needs exactly the settings that the table says', () => {
  const named = (): string[] => {
    try {
      loadConfig({});
    } catch (error) {
      if (error instanceof ConfigError) return error.problems.map((problem) => problem.split(' ', 1)[0] ?? '');
      throw error;
    }
    return [];
  };
  expect(named().toSorted()).toEqual(settingsThatProduction('needed').toSorted());
});

it("operations' limits in PostgreSQL are the connections' own", () => {
  const { lock_timeout: lock, statement_timeout: statement, idle_in_transaction_session_timeout: idle } = TIMEOUTS;
  const [forLock, forStatement, forIdle] = [lock, statement, idle].map((ms) => inWords(ms / 1000));
  expect(readPage('docs/operations.md').text.replaceAll('\n', ' ')).toContain(
    `${forLock} seconds for a lock, ${forStatement} for a statement, ${forIdle} for a transaction that does nothing`,
  );
});
