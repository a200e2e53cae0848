import { expect, test } from 'vitest';
import type { Task } from '@bowerbird/contract';
import { nextLook } from './offline-provider.tsx';

const page = (...phases: Task['phase'][]) => ({
  tasks: phases.map((phase) => ({ phase }) as Task),
  expires_in_ms: phases.includes('PHASE_TYPE_RUNNING') ? 3000 : 10_000,
});
const close = { isClose: true, isHidden: false };
const away = { isClose: false, isHidden: false };
const hidden = { isClose: true, isHidden: true };

test('running tasks are polled every second on their page, and less often elsewhere in the drive', () => {
  expect(nextLook([page('PHASE_TYPE_RUNNING')], close)).toBe(1000);
  expect(nextLook([page('PHASE_TYPE_RUNNING')], away)).toBe(3000);
  expect(nextLook([page('PHASE_TYPE_PENDING')], close)).toBe(2000);
});

test('idle lists are polled when the server says, and rarely from other pages', () => {
  expect(nextLook([page('PHASE_TYPE_PAUSED')], close)).toBe(10_000);
  expect(nextLook([page()], away)).toBe(30_000);
  expect(nextLook([], away)).toBe(30_000);
});

test('a hidden tab polls only for the end of running tasks', () => {
  expect(nextLook([page('PHASE_TYPE_PAUSED')], hidden)).toBe(false);
  expect(nextLook([page('PHASE_TYPE_RUNNING')], hidden)).toBe(20_000);
});

test('a long list is polled less often', () => {
  expect(nextLook([page('PHASE_TYPE_RUNNING'), page(), page()], close)).toBe(3000);
});
