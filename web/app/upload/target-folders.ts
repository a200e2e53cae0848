import { driveApi, type ApiCall } from '@bowerbird/contract';

/** Creates the folders of an uploaded tree, each once however many files need it. */
export interface TargetFolders {
  /**
   * Returns the id of the folder at `path` below `target`. `merge`: the outermost folder may be an existing one.
   */
  ensure(target: string, path: readonly string[], merge: boolean): Promise<string>;
}

export function createTargetFolders(call: ApiCall, freshKey: () => string): TargetFolders {
  const made = new Map<string, Promise<string>>();

  async function existing(parent: string, name: string): Promise<string | undefined> {
    const { taken } = await call(driveApi.conflicts, { body: { parent_id: parent, names: [name] } });
    return taken.find((entry) => entry.kind === 'drive#folder')?.id;
  }

  async function make(parent: string, name: string, merge: boolean): Promise<string> {
    const known = merge ? await existing(parent, name) : undefined;
    if (known !== undefined) return known;
    const { file } = await call(
      driveApi.create,
      { body: { kind: 'drive#folder', parent_id: parent, name, conflict: 'rename' } },
      { idempotencyKey: freshKey() },
    );
    return file!.id;
  }

  const ensure = async (target: string, path: readonly string[], merge: boolean): Promise<string> => {
    if (path.length === 0) return target;
    const key = JSON.stringify([target, merge, ...path]);
    let folder = made.get(key);
    if (!folder) {
      folder = ensure(target, path.slice(0, -1), merge).then((parent) => make(parent, path.at(-1)!, merge));
      made.set(key, folder);
      // A failure is not remembered: the next attempt creates the folder.
      folder.catch(() => made.delete(key));
    }
    return folder;
  };
  return { ensure };
}
