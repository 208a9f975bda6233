import { disableRequest, enableRequest, recoverRequest } from '../../../../../src/http/studio/webhook-endpoints/disabling';
import { endpointRequest } from '../../../../../src/http/studio/webhook-endpoints/webhook-endpoints';
import { rotateRequest } from '../../../../../src/http/studio/webhook-endpoints/secrets';
import { studioPaths } from '../../schemas/paths';

const LONG_AGO = '2020-01-01T00:00:00Z';
const SCHEMAS = { enable: enableRequest, disable: disableRequest, 'rotate-secret': rotateRequest, recover: recoverRequest };

describe('the bodies of webhook endpoints', () => {
  it.each<[string, object, string[]]>([
    ['nothing', {}, ['environment', 'url']],
    ['an unknown environment', { environment: 'staging', url: 'https://hooks.example.com' }, ['environment']],
    ['no URL', { environment: 'live' }, ['url']],
    ['a number for a URL', { environment: 'live', url: 7 }, ['url']],
    ['a URL of 2001 characters', { environment: 'live', url: `https://example.com/${'x'.repeat(1981)}` }, ['url']],
  ])('registering %s is refused', (_title, body, paths) => {
    expect(studioPaths(endpointRequest, body)).toEqual(paths);
  });

  it.each<[keyof typeof SCHEMAS, object, string[]]>([
    ['enable', { skipPing: 'yes' }, ['skipPing']],
    ['disable', { reason: '' }, ['reason']],
    ['disable', { reason: 'x'.repeat(201) }, ['reason']],
    ['rotate-secret', { overlapHours: 169 }, ['overlapHours']],
    ['rotate-secret', { overlapHours: -1 }, ['overlapHours']],
    ['rotate-secret', { overlapHours: 1.5 }, ['overlapHours']],
    ['recover', {}, ['since']],
    ['recover', { since: 'yesterday' }, ['since']],
    ['recover', { since: LONG_AGO, states: [] }, ['states']],
    ['recover', { since: LONG_AGO, states: ['pending'] }, ['states.0']],
    ['recover', { since: LONG_AGO, states: ['held', 'held'] }, ['states.1']],
    ['recover', { since: LONG_AGO, dryRun: 1 }, ['dryRun']],
  ])('%s with %j is refused', (action, body, paths) => {
    expect(studioPaths(SCHEMAS[action], body)).toEqual(paths);
  });
});
