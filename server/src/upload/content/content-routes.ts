import { ApiFailure, driveApi, LIMITS } from '@bowerbird/contract';
import { FILE, fileView, type Links, type NodeRow, type Nodes, type Placements } from '../../drive/index.ts';
import type { Database } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import type { Clock } from '../../foundation/index.ts';
import type { Receiving } from '../upload-receive-service.ts';

interface Parts {
  readonly database: Database;
  readonly nodes: Pick<Nodes, 'find' | 'lock'>;
  readonly placements: Pick<Placements, 'replaceContent'>;
  readonly receiving: Pick<Receiving, 'keep' | 'publish'>;
  readonly links: Links;
  readonly clock: Clock;
}

/** `base` of a call that overwrites whatever content the file has. */
const ANY = '*';

/** Contents that were edited in the browser. */
export function mountContents(
  api: Api,
  { database, nodes, placements, receiving, links, clock }: Parts,
): void {
  /** Throws if the file has another content than the one that was edited. */
  function checkBase(file: NodeRow | undefined, base: string): asserts file is NodeRow {
    if (file?.kind !== FILE || file.quarantined_at !== null) throw new ApiFailure('file_not_found');
    if (base !== ANY && base.toUpperCase() !== file.gcid) throw new ApiFailure('content_changed');
  }

  api.handle(
    driveApi.saveContent,
    {
      underKey: 'joined',
      async prepare({ params, bytes, viewer }) {
        const size = bytes.byteLength;
        if (size > LIMITS.editBytes) throw new ApiFailure('invalid_argument', { field: 'content' });
        const file = await nodes.find(database, viewer.account, params.id);
        if (file?.kind !== FILE) throw new ApiFailure('file_not_found');
        const source = chunksOf(bytes);
        return receiving.keep({ source, size, most: LIMITS.editBytes });
      },
    },
    ({ params, body: { base }, viewer, caller }, kept) =>
      receiving.publish(kept, async (tx, { hash, size }) => {
        await nodes.lock(tx, viewer.account);
        const file = await nodes.find(tx, viewer.account, params.id);
        // The same content again, perhaps by a call that was repeated, needs nothing.
        const isThere = file?.blob === hash;
        checkBase(file, isThere ? ANY : base);
        const { node } = isThere
          ? { node: file }
          : await placements.replaceContent(tx, file, {
              blob: hash,
              size,
              modifiedAt: clock.now(),
              by: 'edit',
              uploaded: { reserved: 0 },
              isSameVisit: base !== ANY,
            });
        const { origin } = caller;
        return fileView(node, { links, origin, rootId: viewer.account, withLinks: true });
      }),
  );
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (bytes.byteLength > 0) yield bytes;
}
