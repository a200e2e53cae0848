/** How fast something goes, as people want to read it: quick to show a change, and steady otherwise. */
export interface SpeedMeter {
  add(bytes: number): void;
  /** Bytes a second. */
  speed(): number;
}

const WINDOW_MS = 5000;
const SLICE_MS = 250;

/** The mean of the last seconds, of fewer while it has just begun. */
export function createSpeedMeter(now: () => number = () => performance.now()): SpeedMeter {
  const began = now();
  let slices: { readonly start: number; bytes: number }[] = [];

  return {
    add(bytes) {
      const time = now();
      const last = slices.at(-1);
      if (last && time - last.start < SLICE_MS) last.bytes += bytes;
      else {
        slices = slices.filter(({ start }) => time - start < WINDOW_MS);
        slices.push({ start: time, bytes });
      }
    },
    speed() {
      const time = now();
      const span = Math.min(WINDOW_MS, Math.max(SLICE_MS, time - began));
      const recent = slices.filter(({ start }) => time - start < WINDOW_MS);
      return Math.round((recent.reduce((sum, { bytes }) => sum + bytes, 0) / span) * 1000);
    },
  };
}
