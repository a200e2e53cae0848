import type { File } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { shuffled, stepped, unshuffled } from './play-order.ts';

const songs = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }) as File);
const ids = (queue: readonly File[]) => queue.map(({ id }) => id).join('');

test('shuffling keeps the current song first and every song once; without it the list’s order returns', () => {
  let seed = 7;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const mixed = shuffled({ queue: songs, at: 2 }, random);
  expect(mixed.at).toBe(0);
  expect(ids(mixed.queue)[0]).toBe('c');
  expect([...ids(mixed.queue)].toSorted().join('')).toBe('abcde');
  expect(ids(mixed.queue)).not.toBe('cabde');
  const later = { ...mixed, at: 3 };
  const back = unshuffled(later, songs);
  expect(ids(back.queue)).toBe('abcde');
  expect(back.queue[back.at]).toBe(later.queue[3]);
});

test('the queue ends at its ends, and turns around if everything is repeated', () => {
  expect(stepped({ queue: songs, at: 4 }, 1, 'off')).toBeUndefined();
  expect(stepped({ queue: songs, at: 4 }, 1, 'one')).toBeUndefined();
  expect(stepped({ queue: songs, at: 4 }, 1, 'all')).toBe(0);
  expect(stepped({ queue: songs, at: 0 }, -1, 'all')).toBe(4);
  expect(stepped({ queue: songs, at: 0 }, -1, 'off')).toBeUndefined();
  expect(stepped({ queue: songs, at: 1 }, 1, 'off')).toBe(2);
});
