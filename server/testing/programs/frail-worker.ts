import { existsSync, writeFileSync } from 'node:fs';
import type { ThumbnailOrder } from '@bowerbird/contract';

// Takes the place of the worker, and does what malicious files do to decoders: it crashes on `deadly` and
// never finishes `endless`. On `dies-once FILE` it crashes until the file exists, like a process that is
// killed for an unrelated reason.
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
