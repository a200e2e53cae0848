import { ApiFailure, type Color } from '@bowerbird/contract';
import type { Database } from '../../foundation/database/index.ts';
import { FOLDER } from '../drive.ts';
import type { Nodes } from '../node/index.ts';
import type { AnnotationStore } from './annotation-store.ts';

export interface Look {
  readonly color: Color | '';
  readonly emoji: string;
}

export interface Looks {
  /**
   * Changes the looks of live folders; files are skipped. Returns what the folders had before. Throws
   * `file_not_found`, `invalid_argument`.
   */
  change(
    account: string,
    ids: readonly string[],
    change: { color?: Color | '' | undefined; emoji?: string | undefined },
  ): Promise<(Look & { id: string })[]>;
}

const EMOJI = /^\p{RGI_Emoji}$/v;

export function createLooks({
  database,
  store,
  nodes,
}: {
  database: Database;
  store: Pick<AnnotationStore, 'of' | 'setLooks'>;
  nodes: Pick<Nodes, 'lock' | 'findMany'>;
}): Looks {
  return {
    change: (account, ids, { color, emoji }) =>
      database.transaction(async (tx) => {
        if (emoji !== undefined && emoji !== '' && !EMOJI.test(emoji))
          throw new ApiFailure('invalid_argument', { field: 'emoji' });
        await nodes.lock(tx, account);
        const wanted = [...new Set(ids)];
        const found = await nodes.findMany(tx, account, wanted);
        if (found.length < wanted.length) throw new ApiFailure('file_not_found');
        const folders = found.filter(({ kind }) => kind === FOLDER).map(({ id }) => id);
        const known = await store.of(tx, account, folders);
        const before = folders.map((id) => ({
          id,
          color: known.get(id)?.color ?? ('' as const),
          emoji: known.get(id)?.emoji ?? '',
        }));
        await store.setLooks(
          tx,
          account,
          before.map((look) => ({ ...look, color: color ?? look.color, emoji: emoji ?? look.emoji })),
        );
        tx.changed(account, 'tags');
        return before;
      }),
  };
}
