import type { Page } from 'playwright-core';

/** Waits until nothing moves, because a sliding element has no position yet. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter(({ effect }) => effect.getTiming().iterations !== Infinity)
    .map(({ finished }) => finished.catch(() => undefined)))`);
}

/** Elements that extend beyond the right edge of a page wider than its window: tags and text. */
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
