import type { Page } from 'playwright-core';

/** Until nothing moves: what slides in is nowhere yet. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter(({ effect }) => effect.getTiming().iterations !== Infinity)
    .map(({ finished }) => finished.catch(() => undefined)))`);
}

/** What reaches beyond the right of a page that is wider than its window: tags and words. */
export async function findOverflowing(page: Page): Promise<string[]> {
  await waitForAnimations(page);
  return page.evaluate<string[]>(`(() => {
    if (document.documentElement.scrollWidth <= window.innerWidth) return [];
    const out = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1);
    const named = out.filter((one) => ![...one.children].some((child) => out.includes(child)))
      .map((one) => one.tagName + ': ' + (one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 40)).slice(0, 5);
    return named.length > 0 ? named : ['the page'];
  })()`);
}
