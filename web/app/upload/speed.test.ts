import { expect, test } from 'vitest';
import { createSpeedMeter } from './speed.ts';

test('the speed is the average of the last eight seconds', () => {
  const meter = createSpeedMeter();
  meter.sample(0, 0);
  meter.sample(8000, 8000);
  expect(meter.read(8000)).toBe(1000);
  meter.sample(40_000, 16_000);
  expect(meter.read(16_000)).toBe(4000);
});

test('the speed is unknown before the second sample and after a stall', () => {
  const meter = createSpeedMeter();
  expect(meter.read(0)).toBe(0);
  meter.sample(500, 0);
  expect(meter.read(0)).toBe(0);
  meter.sample(1500, 1000);
  expect(meter.read(1000)).toBe(1000);
  expect(meter.read(2000)).toBe(500);
  expect(meter.read(9001)).toBe(0);
});

test('a restarted upload is measured from its restart', () => {
  const meter = createSpeedMeter();
  meter.sample(5000, 0);
  meter.sample(6000, 1000);
  meter.sample(0, 2000);
  expect(meter.read(2000)).toBe(0);
  meter.sample(300, 3000);
  expect(meter.read(3000)).toBe(300);
});
