import { cliPage } from '../../../scripts/docs/cli-page';
import { priceBookPage } from '../../../scripts/docs/price-book-page';
import { settingsPage } from '../../../scripts/docs/settings-page';
import { studioPage } from '../../../scripts/docs/studio-page';
import { expectPage } from '../../support/generated-page';

it.each([
  ['cli-commands.md', cliPage],
  ['first-price-book.md', priceBookPage],
  ['settings.md', settingsPage],
  ['studio-endpoints.md', studioPage],
])('docs/%s is what the code says; npm run docs writes it', (name, page) => {
  expectPage(name, page());
});
