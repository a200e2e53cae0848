/** Random numbers determined by a seed, so that a campaign can be repeated. */
export interface Random {
  /** From 0 to `limit`, exclusive. */
  below(limit: number): number;
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  bytes(length: number): Buffer;
  /** Another generator, whose numbers don't depend on how many this one has returned. */
  fork(name: string): Random;
}

export function seeded(seed: string): Random {
  let state = [...seed].reduce(
    (hash, letter) => Math.imul(hash ^ letter.codePointAt(0)!, 16_777_619),
    2_166_136_261,
  );
  // Mulberry32, in the public domain: https://github.com/bryc/code/blob/master/jshash/PRNGs.md
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const random: Random = {
    below: (limit) => Math.floor(next() * limit),
    between: (least, most) => least + random.below(most - least + 1),
    chance: (probability) => next() < probability,
    pick: (choices) => choices[random.below(choices.length)]!,
    bytes(length) {
      const bytes = Buffer.alloc(length);
      for (let at = 0; at < length; at += 4)
        bytes.writeInt32LE((next() * 2 ** 32) | 0, Math.min(at, Math.max(0, length - 4)));
      return bytes;
    },
    fork: (name) => seeded(`${seed}/${name}`),
  };
  return random;
}
