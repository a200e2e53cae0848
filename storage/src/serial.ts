/** Runs work with the same name sequentially, and work with different names in parallel. */
export type Serial = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createSerial(): Serial {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const result = (last.get(name) ?? Promise.resolve()).then(work);
    const settled = result
      .catch(() => {})
      .then(() => {
        if (last.get(name) === settled) last.delete(name);
      });
    last.set(name, settled);
    return result;
  };
}
