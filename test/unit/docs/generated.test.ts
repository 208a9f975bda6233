import { cliPage } from '../../../scripts/docs/cli-page';
import { studioPage, tradePage } from '../../../scripts/docs/endpoints-page';
import { priceBookPage } from '../../../scripts/docs/price-book-page';
import { settingsPage } from '../../../scripts/docs/settings-page';
import { expectPage } from '../../support/generated-page';

it.each([
  ['cli-commands.md', cliPage],
  ['first-price-book.md', priceBookPage],
  ['settings.md', settingsPage],
  ['studio-endpoints.md', studioPage],
  ['trade-endpoints.md', tradePage],
])('docs/%s is what the code says; npm run docs writes it', (name, page) => {
  expectPage(name, page());
});
