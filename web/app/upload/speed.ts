const WINDOW_MS = 8_000;

/** Speed over the last seconds, from samples of the total. */
export interface SpeedMeter {
  sample(loaded: number, now: number): void;
  /** Returns bytes per second; 0 while unknown. */
  read(now: number): number;
}

export function createSpeedMeter(): SpeedMeter {
  let samples: { loaded: number; at: number }[] = [];
  return {
    sample(loaded, now) {
      if (loaded < (samples.at(-1)?.loaded ?? 0)) samples = [];
      samples.push({ loaded, at: now });
      while (samples.length > 2 && samples[0]!.at < now - WINDOW_MS) samples.shift();
    },
    read(now) {
      const first = samples[0];
      const last = samples.at(-1);
      if (!first || !last || last.at === first.at || last.at < now - WINDOW_MS) return 0;
      return ((last.loaded - first.loaded) * 1000) / (Math.max(now, last.at) - first.at);
    },
  };
}
