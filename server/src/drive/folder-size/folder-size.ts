/** Bytes of the files, and numbers of files and folders, below a folder, without those that were trashed by themselves. */
export interface Contents {
  readonly bytes: number;
  readonly files: number;
  readonly folders: number;
}

/** Contents that a folder gained, or lost if they are negative. A parent that is not a folder is ignored. */
export interface Gain extends Contents {
  readonly parent: string;
}

/** The same gains as losses. */
export const lossOf = (gains: readonly Gain[]): Gain[] =>
  gains.map(({ parent, bytes, files, folders }) => ({
    parent,
    bytes: -bytes,
    files: -files,
    folders: -folders,
  }));

/** The same contents in another folder, added up. */
export const movedTo = (parent: string, gains: readonly Gain[]): Gain =>
  gains.reduce(
    (sum, { bytes, files, folders }) => ({
      parent,
      bytes: sum.bytes + bytes,
      files: sum.files + files,
      folders: sum.folders + folders,
    }),
    { parent, bytes: 0, files: 0, folders: 0 },
  );
