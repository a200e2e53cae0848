import { ApiFailure, driveApi, LIMITS, pageSize } from '@bowerbird/contract';
import type { Cursors, Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Api } from '../../foundation/http/index.ts';
import type { Benefits } from '../../membership/index.ts';
import { contextOf, type Nodes } from '../node/index.ts';
import { versionView, type VersionRow, type Versions, type VersionStore } from '../version/index.ts';
import { fileView } from '../drive-view.ts';
import { FILE, type Links, type NodeRow } from '../drive.ts';
import type { Placements } from './placement-service.ts';

export interface VersionRoutes {
  readonly database: Database;
  readonly cursors: Cursors;
  readonly nodes: Pick<Nodes, 'find' | 'lock'>;
  readonly versions: Versions;
  readonly versionStore: VersionStore;
  readonly placements: Pick<Placements, 'restore'>;
  readonly benefits: Pick<Benefits, 'entitlements'>;
  readonly links: Links;
}

const limited = (limit: number): number => (limit === Infinity ? -1 : limit);

/** Earlier versions of a member's own files. Nobody else sees them: not through a share, nor in a copy. */
export function mountVersions(
  api: Api,
  { database, cursors, nodes, versions, versionStore, placements, benefits, links }: VersionRoutes,
): void {
  async function fileOf(sql: Sql, account: string, id: string): Promise<NodeRow> {
    const node = await nodes.find(sql, account, id);
    if (node?.kind !== FILE) throw new ApiFailure('file_not_found');
    return node;
  }

  /** Runs a change of a file's versions under the lock of the tree. */
  const change = <R>(account: string, id: string, work: (tx: Tx, file: NodeRow) => Promise<R>): Promise<R> =>
    database.transaction(async (tx) => {
      await nodes.lock(tx, account);
      return work(tx, await fileOf(tx, account, id));
    });

  async function versionOf(sql: Sql, file: NodeRow, id: string): Promise<VersionRow> {
    const version = await versionStore.find(sql, file.id, id);
    if (!version) throw new ApiFailure('version_not_found');
    return version;
  }

  api.handle(driveApi.versions, async ({ params, query, viewer, caller }) => {
    const file = await fileOf(database, viewer.account, params.id);
    const list = JSON.stringify(['versions', file.id]);
    const limit = pageSize(query.limit, LIMITS.page, LIMITS.pageMax);
    const place = cursors.place(list, query.page_token);
    const rows = await versionStore.page(database, file.id, { place, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const { count, bytes } = await versionStore.sums(database, file.id);
    const { versions: most, versionDays } = await benefits.entitlements(database, viewer.account);
    return {
      versions: shown.map((row) => versionView(row, file, { links, origin: caller.origin })),
      next_page_token: rows.length > limit ? cursors.token(list, [shown.at(-1)!.id]) : '',
      total: count,
      total_size: String(bytes),
      most: Math.min(most, LIMITS.versions),
      days: limited(versionDays),
    };
  });

  api.handle(driveApi.restoreVersion, { underKey: 'joined' }, ({ params, viewer, caller }) =>
    change(viewer.account, params.id, async (tx, file) => {
      const before = await versionOf(tx, file, params.version_id);
      if (before.quarantined_at !== null) throw new ApiFailure('version_not_found');
      const { node, version } = await placements.restore(tx, file, before);
      return {
        file: fileView(node, { ...contextOf(viewer, caller, links), withLinks: true }),
        version_id: version ?? '',
      };
    }),
  );

  api.handle(driveApi.changeVersion, { underKey: 'joined' }, ({ params, body, viewer, caller }) =>
    change(viewer.account, params.id, async (tx, file) => {
      const version = await versionOf(tx, file, params.version_id);
      const changed = await versions.change(tx, version, { label: body.label, kept: body.keep_forever });
      return versionView(changed, file, { links, origin: caller.origin });
    }),
  );

  api.handle(driveApi.removeVersion, { underKey: 'joined' }, ({ params, viewer }) =>
    change(viewer.account, params.id, async (tx, file) => {
      await versions.remove(tx, viewer.account, [await versionOf(tx, file, params.version_id)]);
      return {};
    }),
  );

  api.handle(driveApi.clearVersions, { underKey: 'joined' }, ({ params, viewer }) =>
    change(viewer.account, params.id, async (tx, file) => {
      const rows = await versionStore.oldest(tx, file.id, LIMITS.versions + LIMITS.versionsPinned);
      await versions.remove(tx, viewer.account, rows);
      return { removed: rows.length, bytes: String(rows.reduce((sum, { size }) => sum + size, 0)) };
    }),
  );
}
