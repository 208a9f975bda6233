import { renderMetricsPage } from '../../../scripts/docs/metrics-page';
import { renderPriceBookPage } from '../../../scripts/docs/price-book-page';
import { renderSettingsPage } from '../../../scripts/docs/settings-page';
import { expectGeneratedPage } from '../../support/generated-page';

it.each([
  ['first-price-book.md', renderPriceBookPage],
  ['metrics.md', renderMetricsPage],
  ['settings.md', renderSettingsPage],
])('docs/%s matches the code; npm run docs writes it', (name, page) => {
  expectGeneratedPage(name, page());
});
