import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What stands in somebody's way on a page that has come to rest, as axe finds it: each rule with where it is broken. */
export async function barriers(page: Page): Promise<string[]> {
  await settled(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} (${html})`).join(', ')}`,
  );
}

/** Colours that change over a moment have come to their end. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // What is not drawn yet does not move either.
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
