import { tokenRequest } from '../../../../../src/http/studio/tokens';
import { studioPaths } from '../../schemas/paths';

describe('the body of POST /tokens', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['nothing', {}, ['name', 'role']],
    ['an empty name', { name: '', role: 'floor' }, ['name']],
    ['a name of 101 characters', { name: 'x'.repeat(101), role: 'floor' }, ['name']],
    ["the account's name in timelines", { name: 'account', role: 'floor' }, ['name']],
    ["a signal's name in timelines", { name: 'signal:press', role: 'floor' }, ['name']],
    ['an unknown role', { name: 'a', role: 'owner' }, ['role']],
  ])('%s is refused', (_title, body, paths) => {
    expect(studioPaths(tokenRequest, body)).toEqual(paths);
  });
});
