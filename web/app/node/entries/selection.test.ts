import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterLeaving,
  amountOf,
  countOf,
  EVERYTHING,
  including,
  isSelected,
  NOTHING,
  only,
  type Selection,
  singleId,
  toggled,
  wireSelections,
  without,
} from './selection.ts';

const FOLDER = Array.from({ length: 40 }, (_, n) => ({
  id: `f${n}`,
  kind: n % 7 === 0 ? 'drive#folder' : 'drive#file',
  size: String(n * 10),
}));

interface Step {
  readonly do: 'all' | 'none' | 'toggle' | 'add' | 'drop';
  readonly at: readonly number[];
}

const index = fc.nat({ max: FOLDER.length - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('all' as const, 'none' as const), at: fc.constant([]) }),
  fc.record({
    do: fc.constantFrom('toggle' as const, 'add' as const, 'drop' as const),
    at: fc.array(index, { minLength: 1, maxLength: 12 }),
  }),
);

function apply(selection: Selection, model: Set<string>, step: Step): Selection {
  if (step.do === 'all') {
    FOLDER.forEach((entry) => model.add(entry.id));
    return EVERYTHING;
  }
  if (step.do === 'none') {
    model.clear();
    return NOTHING;
  }
  const entries = step.at.map((at) => FOLDER[at]!);
  if (step.do === 'toggle') {
    const entry = entries[0]!;
    if (!model.delete(entry.id)) model.add(entry.id);
    return toggled(selection, entry);
  }
  for (const entry of entries) {
    if (step.do === 'add') model.add(entry.id);
    else model.delete(entry.id);
  }
  return step.do === 'add' ? including(selection, entries) : without(selection, entries);
}

describe('the selection', () => {
  it('contains exactly the selected set after any steps', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const model = new Set<string>();
        const selection = steps.reduce((selection, step) => apply(selection, model, step), NOTHING);
        expect(FOLDER.filter((entry) => isSelected(selection, entry.id)).map((entry) => entry.id)).toEqual(
          FOLDER.filter((entry) => model.has(entry.id)).map((entry) => entry.id),
        );
        expect(countOf(selection, FOLDER.length)).toBe(model.size);
      }),
    );
  });

  it('never changes its predecessor', () => {
    const before = only(FOLDER[1]!);
    toggled(before, FOLDER[1]!);
    including(before, FOLDER);
    expect(isSelected(before, 'f1')).toBe(true);
    expect(countOf(before, 40)).toBe(1);
  });

  it('counts a whole folder of which only a page is loaded', () => {
    const selection = without(EVERYTHING, [FOLDER[3]!, FOLDER[4]!]);
    expect(countOf(selection, 100_000)).toBe(99_998);
    expect(isSelected(selection, 'never loaded')).toBe(true);
  });

  it('adds up sizes only if all are known', () => {
    expect(amountOf(only(FOLDER[1]!, FOLDER[2]!))).toEqual({ bytes: 30, folders: 0 });
    expect(amountOf(only(FOLDER[1]!, FOLDER[7]!))).toEqual({ bytes: 10, folders: 1 });
    expect(amountOf(EVERYTHING)).toBeUndefined();
    const whole = { bytes: 1000, folders: 2 };
    expect(amountOf(without(EVERYTHING, [FOLDER[1]!]), whole)).toEqual({ bytes: 990, folders: 2 });
    expect(amountOf(without(EVERYTHING, [FOLDER[7]!]), whole)).toEqual({ bytes: 1000, folders: 1 });
  });

  it('drops entries that left the folder', () => {
    expect(countOf(afterLeaving(only(FOLDER[1]!, FOLDER[2]!), ['f1']), 40)).toBe(1);
    expect(countOf(afterLeaving(without(EVERYTHING, [FOLDER[1]!]), ['f1']), 39)).toBe(39);
  });

  it('is sent as ids in batches or as a folder with exceptions', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 45 }), (batch) => {
        const bodies = wireSelections(only(...FOLDER), 'here', batch);
        expect(bodies.flatMap((body) => ('ids' in body ? body.ids : []))).toEqual(FOLDER.map(({ id }) => id));
        expect(bodies.every((body) => 'ids' in body && body.ids.length <= batch)).toBe(true);
      }),
    );
    expect(wireSelections(without(EVERYTHING, [FOLDER[1]!]), '', 1000)).toEqual([
      { all_in: '', except_ids: ['f1'] },
    ]);
    expect(wireSelections(NOTHING, '', 1000)).toEqual([]);
  });

  it('returns the id of a single selected entry', () => {
    expect(singleId(only(FOLDER[3]!))).toBe('f3');
    expect(singleId(only(FOLDER[3]!, FOLDER[4]!))).toBeUndefined();
    expect(singleId(EVERYTHING)).toBeUndefined();
  });
});
