import { expect, test } from 'vitest';
import type { Task } from '@bowerbird/contract';
import { partOf, timeLeft, transferOf } from './transfer-facts.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');

const task = (phase: Task['phase'], params: Record<string, string> = {}): Task => {
  const one: Partial<Task> = {
    id: 't1',
    name: 'film.mkv',
    file_name: '',
    file_size: '0',
    file_id: '',
    message: '',
    params,
    phase,
    reference_resource: null,
    created_time: '',
    updated_time: '',
  };
  return one as Task;
};

test('a task with a start time is scheduled until then', () => {
  const start = { start_time: '2026-11-28T13:00:00Z' };
  expect(transferOf(task('PHASE_TYPE_PENDING', start), NOW).state).toBe('scheduled');
  expect(transferOf(task('PHASE_TYPE_PENDING', start), NOW + 2 * 3_600_000).state).toBe('waiting');
  expect(transferOf(task('PHASE_TYPE_PENDING'), NOW).state).toBe('waiting');
  expect(transferOf(task('PHASE_TYPE_RUNNING', start), NOW).state).toBe('running');
});

test('a task of unknown size has neither a size nor a percentage', () => {
  const unknown = transferOf(task('PHASE_TYPE_RUNNING', { size: '', received: '2048' }), NOW);
  expect(unknown.size).toBeUndefined();
  expect(partOf(unknown)).toBeUndefined();
  expect(partOf(transferOf(task('PHASE_TYPE_RUNNING', { size: '4096', received: '1024' }), NOW))).toBe(0.25);
  expect(partOf(transferOf(task('PHASE_TYPE_COMPLETE', { size: '' }), NOW))).toBe(1);
});

test('a task that is not running has no speed and no peers', () => {
  const paused = transferOf(task('PHASE_TYPE_PAUSED', { speed: '100', peers: '3' }), NOW);
  expect(paused).toMatchObject({ speed: 0, peers: undefined });
});

test('unknown values from a newer server fall back to defaults', () => {
  const odd = transferOf(
    task('PHASE_TYPE_RUNNING', { source: 'ftp', priority: 'urgent', step: 'x', size: 'y' }),
    NOW,
  );
  expect(odd).toMatchObject({ source: 'web', priority: 'normal', step: '', size: undefined });
});

test('the time left is shown in rounded units', () => {
  const left = (seconds: number) => timeLeft({ size: seconds * 10, received: 0, speed: 10 });
  expect(left(20)).toEqual({ unit: 'moment' });
  expect(left(55)).toEqual({ unit: 'minutes', count: 1 });
  expect(left(7 * 60 + 10)).toEqual({ unit: 'minutes', count: 7 });
  expect(left(3599)).toEqual({ unit: 'hours', count: 1, minutes: 0 });
  expect(left(200 * 60)).toEqual({ unit: 'hours', count: 3, minutes: 20 });
  expect(left(3 * 86_400)).toEqual({ unit: 'days', count: 3 });
  expect(left(400 * 86_400)).toBeUndefined();
  expect(timeLeft({ size: undefined, received: 0, speed: 10 })).toBeUndefined();
  expect(timeLeft({ size: 10, received: 0, speed: 0 })).toBeUndefined();
  expect(timeLeft({ size: 10, received: 10, speed: 5 })).toBeUndefined();
});

test('a task that waits for its retry says so, and why, until it runs again', () => {
  const between = { step: 'waiting', retry_error: 'source_timed_out' };
  expect(transferOf(task('PHASE_TYPE_RUNNING', between), NOW)).toMatchObject({
    state: 'waiting',
    retryError: 'source_timed_out',
  });
  expect(transferOf(task('PHASE_TYPE_RUNNING', { ...between, step: 'fetching' }), NOW)).toMatchObject({
    state: 'running',
    retryError: '',
  });
});

test('a task has its file as soon as it exists, even if the response does not include the file', () => {
  const fileOf = (phase: Task['phase'], reference: Task['reference_resource']): string =>
    transferOf({ ...task(phase), file_id: 'VFile', reference_resource: reference }, NOW).fileId;
  expect(fileOf('PHASE_TYPE_RUNNING', null)).toBe('');
  expect(fileOf('PHASE_TYPE_RUNNING', { kind: 'drive#folder' })).toBe('VFile');
  expect(fileOf('PHASE_TYPE_COMPLETE', null)).toBe('VFile');
});
