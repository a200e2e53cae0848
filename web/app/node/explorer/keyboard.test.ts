import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Key, meaningOf, type Movement, rowAfter } from './keyboard.ts';

const press = (key: string, held: Partial<Key> = {}): Key => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});
const shift = { shiftKey: true };
const control = { ctrlKey: true };

describe('keys in a list of files', () => {
  it.each([
    ['ArrowDown', {}, { do: 'move', by: 'down', how: 'replace' }],
    ['ArrowDown', shift, { do: 'move', by: 'down', how: 'extend' }],
    ['End', control, { do: 'move', by: 'last', how: 'only-focus' }],
    [' ', {}, { do: 'toggle' }],
    ['a', control, { do: 'select-all' }],
    ['A', { metaKey: true }, { do: 'select-all' }],
    ['Escape', {}, { do: 'clear' }],
    ['Enter', {}, { do: 'open' }],
    ['Backspace', {}, { do: 'parent' }],
    ['ArrowUp', { altKey: true }, { do: 'parent' }],
    ['F2', {}, { do: 'act', action: 'rename' }],
    ['Delete', {}, { do: 'act', action: 'trash' }],
    ['Delete', shift, { do: 'act', action: 'delete' }],
    ['c', control, { do: 'act', action: 'copy' }],
    ['x', control, { do: 'act', action: 'cut' }],
    ['v', control, { do: 'act', action: 'paste' }],
    ['d', {}, { do: 'act', action: 'details' }],
    ['s', {}, { do: 'act', action: 'star' }],
    ['v', {}, { do: 'act', action: 'toggle-view' }],
    ['F10', shift, { do: 'menu' }],
    ['ContextMenu', {}, { do: 'menu' }],
    ['k', {}, { do: 'type', letter: 'k' }],
    ['D', shift, { do: 'type', letter: 'D' }],
    ['日', {}, { do: 'type', letter: '日' }],
  ] as const)('%s with %o', (key, held, meaning) => {
    expect(meaningOf(press(key, held), false)).toEqual(meaning);
  });

  it('while a name is typed, letters and spaces belong to it', () => {
    expect(meaningOf(press('d'), true)).toEqual({ do: 'type', letter: 'd' });
    expect(meaningOf(press('n'), true)).toEqual({ do: 'type', letter: 'n' });
    expect(meaningOf(press(' '), true)).toEqual({ do: 'type', letter: ' ' });
  });

  it.each(['/', '?', 'n', 'Tab', 'F5', 'F10', 'Shift'])('%s is not handled here', (key) => {
    expect(meaningOf(press(key), false)).toBeUndefined();
  });

  it.each([press('r', control), press('ArrowLeft', { altKey: true }), press('z', control)])(
    '$key with a modifier is left to the browser',
    (pressed) => {
      expect(meaningOf(pressed, false)).toBeUndefined();
    },
  );
});

describe('moving the selection', () => {
  it('works in two directions in a grid', () => {
    const lie = { count: 10, columns: 4, lines: 2 };
    expect(rowAfter('right', 3, lie)).toBe(4);
    expect(rowAfter('right', 3, { ...lie, rightToLeft: true })).toBe(2);
    expect(rowAfter('down', 1, lie)).toBe(5);
    expect(rowAfter('down', 7, lie)).toBe(9);
    expect(rowAfter('down', 8, lie)).toBe(8);
    expect(rowAfter('down', 9, lie)).toBe(9);
    expect(rowAfter('up', 2, lie)).toBe(2);
    expect(rowAfter('page-up', 9, lie)).toBe(1);
    expect(rowAfter('page-down', 1, lie)).toBe(9);
  });

  it('does nothing sideways in a list and in an empty folder', () => {
    expect(rowAfter('left', 3, { count: 9, columns: 1, lines: 5 })).toBeUndefined();
    expect(rowAfter('down', 0, { count: 0, columns: 1, lines: 5 })).toBeUndefined();
  });

  it('never leaves the folder', () => {
    const movement = fc.constantFrom<Movement>(
      'up',
      'down',
      'left',
      'right',
      'first',
      'last',
      'page-up',
      'page-down',
    );
    fc.assert(
      fc.property(
        movement,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 30 }),
        fc.nat(),
        (by, count, columns, lines, somewhere) => {
          const row = rowAfter(by, somewhere % count, { count, columns, lines }) ?? 0;
          expect(row).toBeGreaterThanOrEqual(0);
          expect(row).toBeLessThan(count);
        },
      ),
    );
  });
});
