import { renderCliPage } from '../../../scripts/docs/cli-page';
import { renderPriceBookPage } from '../../../scripts/docs/price-book-page';
import { renderSettingsPage } from '../../../scripts/docs/settings-page';
import { renderStudioPage } from '../../../scripts/docs/studio-page';
import { expectGeneratedPage } from '../../support/generated-page';

it.each([
  ['cli-commands.md', renderCliPage],
  ['first-price-book.md', renderPriceBookPage],
  ['settings.md', renderSettingsPage],
  ['studio-endpoints.md', renderStudioPage],
])('docs/%s is up to date; npm run docs writes it', (name, page) => {
  expectGeneratedPage(name, page());
});
