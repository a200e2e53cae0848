import { driveApi, type File } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { randomHex } from '#app/browser/device.ts';
import { useContentChanged } from '../version/use-content-changed.ts';

/** Calls that store contents. They reject with the API's errors. */
export interface Saving {
  /** Replaces the content of a file if it still has the one named by `base`; `*` for whatever it has. */
  save(id: string, bytes: Uint8Array, base: string): Promise<File>;
  /** Creates a file with a content, under a numbered name if the name is taken and `mayNumber`. */
  create(
    parent: string,
    name: string,
    bytes: Uint8Array,
    options: { readonly mayNumber: boolean },
  ): Promise<File>;
}

export function useSaving(): Saving {
  const call = useCall();
  const contentChanged = useContentChanged();
  const saving: Saving = {
    async save(id, bytes, base) {
      const input = { params: { id }, body: { base }, bytes: new Blob([bytes as BlobPart]) };
      const file = await call(driveApi.saveContent, input, { idempotencyKey: randomHex() });
      contentChanged(id);
      return file;
    },
    async create(parent, name, bytes, { mayNumber }) {
      const { file } = await call(
        driveApi.create,
        {
          body: {
            kind: 'drive#file',
            parent_id: parent,
            name,
            size: 0,
            conflict: mayNumber ? 'rename' : 'fail',
          },
        },
        { idempotencyKey: randomHex() },
      );
      const made = file!;
      if (bytes.length > 0) return saving.save(made.id, bytes, made.hash);
      contentChanged(made.id);
      return made;
    },
  };
  return saving;
}
