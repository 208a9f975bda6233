import { settingsChange } from '../../../../../src/http/studio/settings';
import { studioPaths } from '../../schemas/paths';

const STUDIO = { name: 'Long & Post Studio', abn: '51824753556', address: '4 Press Lane', bank: 'BSB 063-000' };

describe('the body of PATCH /settings', () => {
  it.each<[unknown, string[]]>([
    [{}, ['']],
    [{ criticalRushEnabled: 'true' }, ['criticalRushEnabled']],
    [{ criticalRushEnabled: null }, ['criticalRushEnabled']],
    [{ studio: { ...STUDIO, abn: '51824753557' } }, ['studio.abn']],
    [{ studio: { ...STUDIO, abn: '5182475355' } }, ['studio.abn']],
    [{ studio: { name: '', abn: STUDIO.abn, adress: 'x' } }, ['studio.name', 'studio.address', 'studio.bank', 'studio.adress']],
  ])('%j is refused', (body, paths) => {
    expect(studioPaths(settingsChange, body)).toEqual(paths);
  });
});
