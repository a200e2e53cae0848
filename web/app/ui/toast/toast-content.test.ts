import { describe, expect, it } from 'vitest';
import { withToast, type Toast } from './toast-content.ts';

const press = { label: 'Press', run: () => undefined };
const told: Toast = { id: 1, text: '1 item copied, ready to paste' };
const moved: Toast = { id: 2, text: 'Moved 1 item', undo: press };
const failed: Toast = { id: 3, text: 'Not found', tone: 'danger' };

describe('a toast', () => {
  it('replaces one that only informs', () => {
    expect(withToast([told], { id: 9, text: 'Copied 1 item', undo: press }).map(({ id }) => id)).toEqual([9]);
    expect(withToast([told], { id: 9, text: '1 item cut, ready to paste' }).map(({ id }) => id)).toEqual([9]);
  });

  it('that can be undone replaces the previous one', () => {
    expect(withToast([moved], { id: 9, text: 'Copied 1 item', undo: press }).map(({ id }) => id)).toEqual([
      9,
    ]);
  });

  it('that only informs keeps an earlier undo', () => {
    expect(withToast([moved], { id: 9, text: 'Linked' }).map(({ id }) => id)).toEqual([2, 9]);
  });

  it('keeps error messages, up to three', () => {
    expect(withToast([failed], { id: 9, text: 'Moved', undo: press }).map(({ id }) => id)).toEqual([3, 9]);
    const four = [4, 5, 6].map((id) => ({ ...failed, id }));
    expect(withToast(four, { ...failed, id: 9 }).map(({ id }) => id)).toEqual([5, 6, 9]);
  });
});
