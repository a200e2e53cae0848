/** Repeated signals within this time count as one signal that arrived by two paths. */
const ECHO_MS = 1000;

/**
 * Resolves at the first SIGTERM or SIGINT; another one ends the process at once. A signal that a terminal or
 * a service manager sends to the whole process group arrives twice, from them and from the launcher, and
 * counts once.
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
