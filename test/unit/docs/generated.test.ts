import { renderCliPage } from '../../../scripts/docs/cli-page';
import { renderStudioPage, renderTradePage } from '../../../scripts/docs/endpoints-page';
import { renderMetricsPage } from '../../../scripts/docs/metrics-page';
import { renderPriceBookPage } from '../../../scripts/docs/price-book-page';
import { renderSettingsPage } from '../../../scripts/docs/settings-page';
import { expectGeneratedPage } from '../../support/generated-page';

it.each([
  ['cli-commands.md', renderCliPage],
  ['first-price-book.md', renderPriceBookPage],
  ['metrics.md', renderMetricsPage],
  ['settings.md', renderSettingsPage],
  ['studio-endpoints.md', renderStudioPage],
  ['trade-endpoints.md', renderTradePage],
])('docs/%s matches the code; npm run docs writes it', (name, page) => {
  expectGeneratedPage(name, page());
});
