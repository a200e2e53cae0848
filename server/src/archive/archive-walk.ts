import { LIMITS, numberedName } from '@bowerbird/contract';
import { FOLDER, type NodeRow } from '../drive/index.ts';
import { ZIP_PATH_BYTES } from './zip.ts';

/** Node with its path in the archive. */
export interface Placed {
  readonly path: string;
  readonly node: NodeRow;
}

/** Maximum length of a folder's path that leaves room for a name below it. */
const FOLDER_PATH_BYTES = ZIP_PATH_BYTES - LIMITS.nameBytes - 2;

/**
 * Walks everything under the given nodes depth first, folders before their contents. Keeps only the current
 * pages in memory. The nodes may be from different folders, so equal names among them are numbered; below
 * them names are unique in the drive. Folders too deep for an archive's paths are placed at its top.
 */
export async function* walk(
  top: AsyncIterable<NodeRow>,
  children: (folder: NodeRow) => AsyncIterable<NodeRow>,
): AsyncGenerator<Placed, void, undefined> {
  const taken = new Set<string>();
  const atTop = ({ name, kind }: NodeRow): string => {
    let free = name;
    for (let n = 1; taken.has(free.normalize('NFC')); n++)
      free = numberedName(name, n, kind === FOLDER ? 'folder' : 'file');
    taken.add(free.normalize('NFC'));
    return free;
  };

  // Explicit stack, since the tree may be deeper than generators should nest.
  const open: { folder: string; nodes: AsyncIterator<NodeRow> }[] = [
    { folder: '', nodes: top[Symbol.asyncIterator]() },
  ];
  try {
    for (let here = open.at(-1); here; here = open.at(-1)) {
      const { done, value: node } = await here.nodes.next();
      if (done) {
        open.pop();
        continue;
      }
      const path =
        here.folder === '' || Buffer.byteLength(here.folder) > FOLDER_PATH_BYTES
          ? atTop(node)
          : `${here.folder}/${node.name}`;
      yield { path, node };
      if (node.kind === FOLDER) open.push({ folder: path, nodes: children(node)[Symbol.asyncIterator]() });
    }
  } finally {
    for (const { nodes } of open) await nodes.return?.();
  }
}
