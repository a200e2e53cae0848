import type { Device } from '#app/browser/platform.ts';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';

/** The device in hand: what its request said, and what only its browser knows. */
export function useDevice(told: Device): Device {
  const isBrowser = useIsBrowser();
  return isBrowser ? deviceInHand(told, navigator.maxTouchPoints) : told;
}

/** An iPad asks for the pages of computers by the name of a Mac; only that it is touched tells them apart. */
export const deviceInHand = (told: Device, touchPoints: number): Device =>
  told.platform === 'mac' && touchPoints > 1 ? { ...told, platform: 'ios' } : told;
