/** Line that only one of two texts has, or both. */
export interface LineChange {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Larger differences are shown as one block that replaces another. */
const MOST_CELLS = 4_000_000;
/** Lines around a change that are shown. */
const CONTEXT = 3;

/** Lines that differ between two texts, with a few that don't around them; `undefined` stands for those left out. */
export function lineChanges(before: string, after: string): readonly (LineChange | undefined)[] {
  const [one, other] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (
    end < one.length - start &&
    end < other.length - start &&
    one[one.length - 1 - end] === other[other.length - 1 - end]
  )
    end += 1;
  const same = (text: string): LineChange => ({ kind: 'same', text });
  const all = [
    ...one.slice(0, start).map(same),
    ...middle(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...one.slice(one.length - end).map(same),
  ];
  const isNear = (at: number): boolean =>
    all.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== 'same');
  const shown: (LineChange | undefined)[] = [];
  for (const [at, line] of all.entries()) {
    if (isNear(at)) shown.push(line);
    else if (shown.length === 0 || shown.at(-1) !== undefined) shown.push(undefined);
  }
  return shown;
}

/** Longest common subsequence of lines. */
function middle(one: readonly string[], other: readonly string[]): LineChange[] {
  const removed = (text: string): LineChange => ({ kind: 'removed', text });
  const added = (text: string): LineChange => ({ kind: 'added', text });
  if (one.length * other.length > MOST_CELLS) return [...one.map(removed), ...other.map(added)];
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        one[i] === other[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const changes: LineChange[] = [];
  let [i, j] = [0, 0];
  while (i < one.length && j < other.length) {
    if (one[i] === other[j]) {
      changes.push({ kind: 'same', text: one[i]! });
      i += 1;
      j += 1;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) changes.push(removed(one[i++]!));
    else changes.push(added(other[j++]!));
  }
  return [...changes, ...one.slice(i).map(removed), ...other.slice(j).map(added)];
}
