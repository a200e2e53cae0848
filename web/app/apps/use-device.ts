import type { Device } from '#app/browser/platform.ts';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';

/** Returns the visitor's device, from its request and from facts that only the browser knows. */
export function useDevice(told: Device): Device {
  const isBrowser = useIsBrowser();
  return isBrowser ? deviceInHand(told, navigator.maxTouchPoints) : told;
}

/**
 * Corrects the platform of iPads, which identify as Macs to get desktop pages; only touch support
 * distinguishes them.
 */
export const deviceInHand = (told: Device, touchPoints: number): Device =>
  told.platform === 'mac' && touchPoints > 1 ? { ...told, platform: 'ios' } : told;
