import { expect, test } from 'vitest';
import { DEVICE_KEY } from '#app/browser/device.ts';
import { CONSENT_KEY } from '#app/statistics/happenings.ts';
import { clearStorage } from './clear-member-storage.ts';

function storageWith(names: readonly string[]) {
  const kept = new Map(names.map((name) => [name, 'x']));
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    removeItem: (name: string) => void kept.delete(name),
  };
}

test('signing out deletes tickets, tokens and saved positions from the browser; the device id stays', () => {
  const storage = storageWith([
    'pp_uploads',
    DEVICE_KEY,
    'captcha_web',
    'pp_play_position',
    CONSENT_KEY,
    'pp_restore_request_body',
    'anything that comes later',
  ]);
  clearStorage(() => storage);
  expect([...storage.kept.keys()]).toEqual([DEVICE_KEY, CONSENT_KEY]);
});

test('a browser that denies storage still signs out', () => {
  expect(() =>
    clearStorage(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    }),
  ).not.toThrow();
});
