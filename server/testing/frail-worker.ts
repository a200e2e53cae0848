import type { ThumbnailOrder } from '@bowerbird/contract';

// Stands where the worker stands, and does what malicious files do to decoders: dies of `deadly`, never ends with `endless`.
process.on('message', ({ id, source }: ThumbnailOrder) => {
  if (source === 'deadly') process.kill(process.pid, 'SIGSEGV');
  else if (source !== 'endless') process.send?.({ id, made: source === 'good' });
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
