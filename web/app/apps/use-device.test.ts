import { expect, test } from 'vitest';
import { deviceInHand } from './use-device.ts';

const MAC = { platform: 'mac', browser: 'safari', isPhone: false } as const;

test('an iPad is none of the Macs that it calls itself, and a tablet still', () => {
  expect(deviceInHand(MAC, 5)).toEqual({ platform: 'ios', browser: 'safari', isPhone: false });
  expect(deviceInHand(MAC, 0)).toEqual(MAC);
});

test('a laptop that can be touched stays what it is', () => {
  const laptop = { platform: 'windows', browser: 'edge', isPhone: false } as const;
  expect(deviceInHand(laptop, 10)).toEqual(laptop);
});
