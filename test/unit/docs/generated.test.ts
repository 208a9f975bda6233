import { cliPage } from '../../../scripts/docs/cli-page';
import { settingsPage } from '../../../scripts/docs/settings-page';
import { studioPage } from '../../../scripts/docs/studio-page';
import { expectPage } from '../../support/generated-page';

it.each([
  ['cli-commands.md', cliPage],
  ['settings.md', settingsPage],
  ['studio-endpoints.md', studioPage],
])('docs/%s is what the code says; npm run docs writes it', (name, page) => {
  expectPage(name, page());
});
