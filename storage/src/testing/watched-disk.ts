import type { Disk, DiskFile } from '../disk.ts';

/** A disk that fails as the test requires: `before` is called before each operation, and may throw. */
export function watchedDisk(
  disk: Disk,
  before: (call: string, path: string, size: number) => void | Promise<void>,
): Disk {
  const watched =
    <A extends [string, ...unknown[]], R>(call: string, work: (...parameters: A) => Promise<R>) =>
    async (...parameters: A): Promise<R> => {
      await before(call, parameters[0], 0);
      return work(...parameters);
    };
  return {
    async open(path, mode) {
      await before(mode, path, 0);
      const file = await disk.open(path, mode);
      const inFile =
        <A extends unknown[], R>(call: string, work: (...parameters: A) => Promise<R>) =>
        async (...parameters: A): Promise<R> => {
          const [first] = parameters;
          const size = Array.isArray(first)
            ? first.reduce((sum: number, one: Uint8Array) => sum + one.byteLength, 0)
            : 0;
          await before(call, path, size);
          return work(...parameters);
        };
      const observed: DiskFile = {
        write: inFile('write', file.write),
        read: inFile('read', file.read),
        sync: inFile('sync', file.sync),
        size: inFile('size', file.size),
        // Even a killed process releases its files.
        close: () => file.close().then(() => before('close', path, 0)),
      };
      return observed;
    },
    makeFolders: watched('makeFolders', disk.makeFolders),
    makeFolder: watched('makeFolder', disk.makeFolder),
    names: watched('names', disk.names),
    inspect: watched('inspect', disk.inspect),
    identify: watched('identify', disk.identify),
    realPath: watched('realPath', disk.realPath),
    touch: watched('touch', disk.touch),
    rename: watched('rename', disk.rename),
    remove: watched('remove', disk.remove),
    syncFolder: watched('syncFolder', disk.syncFolder),
    freeSpace: watched('freeSpace', disk.freeSpace),
  };
}
