import { driveApi, type ApiCall } from '@bowerbird/contract';
import type { Batch, Incoming } from './dropped.ts';
import type { ConflictChoice, Target } from './upload-item.ts';

/** Properties that distinguish a file from another with the same name. */
export interface Version {
  readonly size: number;
  /** Time of the last change of the content, in milliseconds or as a date string of the API. */
  readonly modified: number | string;
}

/** Question about a name that is taken in the target; asked before anything is sent. */
export interface Conflict {
  readonly name: string;
  readonly isFolder: boolean;
  /** Only for files: the one in the drive and the new one. */
  readonly versions: { readonly present: Version; readonly coming: Version } | undefined;
  /** Number of further questions of this kind. */
  readonly more: number;
}

export interface ConflictAnswer {
  readonly choice: ConflictChoice;
  readonly forAll: boolean;
}

const NAMES_A_CALL = 1000;

/**
 * Asks about each top-level name of a batch that is taken in the target. Returns the choices by name; null if everything
 * is cancelled.
 */
export async function chooseNames(
  call: ApiCall,
  batch: Batch,
  target: Target,
  ask: (conflict: Conflict) => Promise<ConflictAnswer | null>,
): Promise<ReadonlyMap<string, ConflictChoice> | null> {
  const taken = await clashes(call, batch, target);
  const choices = new Map<string, ConflictChoice>();
  let forAll: ConflictChoice | undefined;
  let more = taken.size;
  for (const [name, present] of taken) {
    more -= 1;
    if (forAll === undefined) {
      const file = batch.files.find(
        ({ file, folders: path }) => path.length === 0 && file.name === name,
      )?.file;
      const coming = file && { size: file.size, modified: file.lastModified };
      const versions = present && coming ? { present, coming } : undefined;
      const answer = await ask({ name, isFolder: present === undefined, versions, more });
      if (!answer) return null;
      if (answer.forAll) forAll = answer.choice;
      choices.set(name, answer.choice);
    } else {
      choices.set(name, forAll);
    }
  }
  return choices;
}

/**
 * Returns the top-level names of a batch that are taken in the target, with the existing files; `undefined` for
 * folders.
 */
async function clashes(
  call: ApiCall,
  batch: Batch,
  target: Target,
): Promise<Map<string, Version | undefined>> {
  const tops = new Set([
    ...batch.files.map((incoming) => topName(incoming)),
    ...batch.emptyFolders.map((path) => path[0]!),
  ]);
  const taken = new Map<string, Version | undefined>();
  for (const names of chunks([...tops], NAMES_A_CALL)) {
    const reply = await call(driveApi.conflicts, { body: { parent_id: target.id, names } });
    for (const { name, kind, size, modified_time } of reply.taken)
      taken.set(name, kind === 'drive#folder' ? undefined : { size: Number(size), modified: modified_time });
  }
  return taken;
}

/** Returns the name under which a file or its topmost folder appears in the target. */
export function topName({ file, folders }: Incoming): string {
  return folders[0] ?? file.name;
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  );
}
