import { expect, test } from 'vitest';
import { deviceInHand } from './use-device.ts';

const MAC = { platform: 'mac', browser: 'safari', isPhone: false } as const;

test('an iPad is recognized as a tablet, although its user agent says that it is a Mac', () => {
  expect(deviceInHand(MAC, 5)).toEqual({ platform: 'ios', browser: 'safari', isPhone: false });
  expect(deviceInHand(MAC, 0)).toEqual(MAC);
});

test('a laptop with a touchscreen is not a tablet', () => {
  const laptop = { platform: 'windows', browser: 'edge', isPhone: false } as const;
  expect(deviceInHand(laptop, 10)).toEqual(laptop);
});
