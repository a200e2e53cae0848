/** Signals this close to the first are the same signal on another way. */
const ECHO_MS = 1000;

/**
 * Resolves at the first SIGTERM or SIGINT; one more ends the process as it is. What a terminal or a service manager
 * tells a whole group arrives twice at once, from them and from the launcher: that is one signal.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let toldAt: number | undefined;
    const stop = (): void => {
      toldAt ??= performance.now();
      if (performance.now() - toldAt > ECHO_MS) process.exit(130);
      resolve();
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}
