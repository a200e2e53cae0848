/** The thread’s CPU clock advances in steps of up to 10 ms on some machines; this much time is counted well enough. */
const COUNTED_WELL = 100_000;

/** CPU time of one call of `work`, in microseconds: the mean of as many calls as it takes to measure it. */
export function cpuTimeOf(work: () => void): number {
  const before = process.threadCpuUsage();
  for (let calls = 1; ; calls++) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= COUNTED_WELL) return (user + system) / calls;
  }
}
