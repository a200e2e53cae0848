const { isMainThread } = require('node:worker_threads');

// Loaded into a program that the launcher became. npm sends SIGTERM only to its shell, and if npm is killed, nobody is
// told: the only indication is that the parent has changed. After a signal of our own, the parent may change too;
// another signal then would look impatient.

// Processes that the program starts itself learn from their channel that it has ended.
if (isMainThread && !process.connected) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ])
    process.on(signal, () => {
      clearInterval(watch);
      // Without another listener, the signal would have ended the program.
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
}
