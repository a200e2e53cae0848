import { existsSync, writeFileSync } from 'node:fs';
import type { ThumbnailOrder } from '@bowerbird/contract';

// Stands where the worker stands, and does what malicious files do to decoders: dies of `deadly`, never ends with `endless`.
// Over `dies-once FILE` it dies until there is the file, as one that is killed for another reason does.
process.on('message', ({ id, source }: ThumbnailOrder) => {
  const [, marker] = /^dies-once (.+)$/.exec(source) ?? [];
  if (marker && existsSync(marker)) process.send?.({ id, made: true });
  else if (marker) {
    writeFileSync(marker, '');
    process.kill(process.pid, 'SIGKILL');
  } else if (source === 'deadly') process.kill(process.pid, 'SIGSEGV');
  else if (source !== 'endless') process.send?.({ id, made: source === 'good' });
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
