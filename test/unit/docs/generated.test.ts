import { renderCliPage } from '../../../scripts/docs/cli-page';
import { renderStudioPage, renderTradePage } from '../../../scripts/docs/endpoints-page';
import { renderPriceBookPage } from '../../../scripts/docs/price-book-page';
import { renderSettingsPage } from '../../../scripts/docs/settings-page';
import { expectGeneratedPage } from '../../support/generated-page';

it.each([
  ['cli-commands.md', renderCliPage],
  ['first-price-book.md', renderPriceBookPage],
  ['settings.md', renderSettingsPage],
  ['studio-endpoints.md', renderStudioPage],
  ['trade-endpoints.md', renderTradePage],
])('docs/%s is what the code says; npm run docs writes it', (name, page) => {
  expectGeneratedPage(name, page());
});
