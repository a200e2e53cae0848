import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Accessibility violations that axe finds on a page after it has settled: each rule with the affected elements. */
export async function barriers(page: Page): Promise<string[]> {
  await settled(page);
  // The other mode opens a page for each check, to combine the results of frames from other origins. There are none.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} (${html})`).join(', ')}`,
  );
}

/** Pixels by which a page is wider than its screen. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Checks that a page has no barriers, and that none of it is outside of the screen. */
export async function expectSound(page: Page): Promise<void> {
  expect(await barriers(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
}

/** Color transitions have ended. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // Elements that haven't been rendered yet don't move either.
    const isDrawn = (effect: AnimationEffect | null) =>
      !(effect instanceof KeyframeEffect) || effect.target?.checkVisibility({ contentVisibilityAuto: true });
    const isMoving = () =>
      document
        .getAnimations()
        .some(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getTiming().iterations !== Infinity && isDrawn(effect),
        );
    await frame();
    do await frame();
    while (isMoving());
  });
}
