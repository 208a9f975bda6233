import { keyRequest } from '../../../../../src/http/studio/keys';
import { studioPaths } from '../../schemas/paths';

describe('the body of POST /accounts/{id}/keys', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['no scopes', { scopes: undefined }, ['scopes']],
    ['an empty list of scopes', { scopes: [] }, ['scopes']],
    ['an unknown scope', { scopes: ['price:read', 'orders:delete'] }, ['scopes.1']],
    ['a scope twice', { scopes: ['price:read', 'price:read'] }, ['scopes.1']],
    ['another environment', { environment: 'staging' }, ['environment']],
    ['an invalid expiry time', { expiresAt: 'tomorrow' }, ['expiresAt']],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, ['name']],
  ])('with %s is refused', (_title, fields, paths) => {
    expect(studioPaths(keyRequest, { environment: 'test', scopes: ['price:read'], ...fields })).toEqual(paths);
  });
});
