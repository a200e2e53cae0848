import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';
import { createSpeedMeter } from './speed.ts';

const { signal } = new AbortController();

test('without a limit nothing waits', () => {
  expect(createRateLimit(null).spend(10 ** 9, signal)).toBeUndefined();
});

test('a transfer beyond the limit waits until the average is met, and so do later ones', async () => {
  const limit = createRateLimit(1000);
  const began = performance.now();
  expect(limit.spend(250, signal)).toBeUndefined();
  const waited = await Promise.all(
    [100, 100].map((bytes) => limit.spend(bytes, signal)!.then(() => performance.now() - began)),
  );
  expect(waited[0]).toBeGreaterThan(90);
  expect(waited[1]).toBeGreaterThan(190);
});

test('unused bandwidth is not saved up for long', () => {
  let now = 0;
  const limit = createRateLimit(1000, () => now);
  now += 60_000;
  expect(limit.spend(250, signal)).toBeUndefined();
  expect(limit.spend(1, AbortSignal.timeout(1))?.catch(() => {})).toBeDefined();
});

test('stopping ends a wait', async () => {
  const stopping = new AbortController();
  const waiting = createRateLimit(1).spend(1000, stopping.signal);
  stopping.abort();
  await expect(waiting).rejects.toThrow();
});

test('the speed is measured over the last seconds', () => {
  let now = 0;
  const meter = createSpeedMeter(() => now);
  for (; now < 4000; now += 100) meter.add(1000);
  expect(meter.speed()).toBeCloseTo(10_000, -3);
  for (; now < 12_000; now += 100) meter.add(2000);
  expect(meter.speed()).toBeGreaterThan(18_000);
  expect(meter.speed()).toBeLessThan(22_000);
  now += 10_000;
  expect(meter.speed()).toBe(0);
});
