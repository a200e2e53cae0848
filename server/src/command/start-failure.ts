// Explanation of operating system errors about the product's folders, for the person who started it.

const advice: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) =>
    `${path} can’t be created. Check that its disk is mounted and writable, or choose another folder with DATA_DIR.`,
  EACCES: (path) =>
    `This user isn’t allowed to write to ${path}. Change its owner, or choose another folder with DATA_DIR.`,
  EPERM: (path) =>
    `This user isn’t allowed to write to ${path}. Change its owner, or choose another folder with DATA_DIR.`,
  EROFS: (path) => `${path} is on a read-only disk. Choose another folder with DATA_DIR.`,
  ENOTDIR: (path) =>
    `${path} can’t be a folder because part of the path is a file. Choose another one with DATA_DIR.`,
  EEXIST: (path) => `${path} is a file, but it has to be a folder. Choose another one with DATA_DIR.`,
  ENOSPC: (path) => `The disk with ${path} is full. Free some space and start again.`,
  EDQUOT: (path) => `The disk quota of ${path} is used up. Free some space and start again.`,
  EIO: (path) => `The disk with ${path} can’t be read or written. Check it and start again.`,
  EMFILE: () => 'Too many files are open. Raise the limit with `ulimit -n` and start again.',
};

/** Explains a failed system call in one sentence; undefined for any other error. */
export function explainStartFailure(error: unknown): string | undefined {
  const { code, path } = error as { code?: unknown; path?: unknown };
  if (typeof code !== 'string' || !Object.hasOwn(advice, code)) return undefined;
  return advice[code]!(typeof path === 'string' ? path : 'the data folder');
}
