import { createSpeedMeter } from './speed.ts';
import { workOf } from './upload-item.ts';

/** Speed of all uploads together. */
export interface UploadPace {
  /** Counts bytes that were sent. */
  sent(bytes: number): void;
  /** Counts a file that is complete. */
  fileDone(): void;
  /** Bytes per second, and seconds until some work is done; `undefined` while unknown. */
  read(workLeft: number): { readonly speed: number; readonly secondsLeft: number | undefined };
}

export function createUploadPace(now: () => number): UploadPace {
  const bytes = createSpeedMeter();
  const work = createSpeedMeter();
  let sent = 0;
  let files = 0;
  return {
    sent(more) {
      sent += more;
      bytes.sample(sent, now());
    },
    fileDone() {
      files += 1;
    },
    read(workLeft) {
      const at = now();
      work.sample(sent + files * workOf({ size: 0 }), at);
      const pace = work.read(at);
      return { speed: bytes.read(at), secondsLeft: pace > 0 ? workLeft / pace : undefined };
    },
  };
}
