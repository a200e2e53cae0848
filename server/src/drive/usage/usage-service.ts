import type { UsageList } from '@bowerbird/contract';
import type { Database, KeysetPosition } from '../../foundation/database/index.ts';
import { FOLDER, type NodeRow } from '../drive.ts';
import { createLineage } from '../lineage.ts';
import type { Nodes } from '../node/index.ts';
import type { Surveys } from './survey-service.ts';
import { beyondPlace, gainOf, type Duplicates, type Ranked } from './usage.ts';
import type { UsageStore } from './usage-store.ts';

/** Live node in a list, with the names of the folders above it. */
export interface Used {
  readonly node: NodeRow;
  readonly path: readonly string[];
  /** Number of the copy among those with the same content, from 1, oldest first. */
  readonly copy?: { readonly number: number; readonly of: number };
}

export interface UsedPage {
  readonly used: readonly Used[];
  readonly next: KeysetPosition | undefined;
  /** Number of nodes in the list; undefined for duplicates. */
  readonly total: number | undefined;
  readonly groups: number;
  readonly gain: number;
}

/** Lists what uses an account's storage. Nodes that are gone or trashed since the survey are left out. */
export interface Usage {
  page(
    account: string,
    list: UsageList,
    page: { limit: number; place: KeysetPosition | undefined },
  ): Promise<UsedPage>;
}

/** Files of one content that are shown, and files that are read for a page. */
const MOST_COPIES = 100;
const MOST_READ = 5000;

export function createUsage({
  database,
  usageStore,
  nodes,
  surveys,
}: {
  database: Database;
  usageStore: UsageStore;
  nodes: Nodes;
  surveys: Surveys;
}): Usage {
  /** The live ones among nodes, in their order, with their paths. */
  async function live(account: string, ids: readonly string[]): Promise<Used[]> {
    const lineage = createLineage(await nodes.lineage(database, ids));
    return ids.flatMap((id) => {
      const standing = lineage.standing(account, id);
      if (!standing || standing.trashed) return [];
      const path = lineage
        .chain(id)
        .slice(0, -1)
        .map(({ name }) => name);
      return [{ node: standing.node, path }];
    });
  }

  async function ranked(
    account: string,
    list: readonly Ranked[],
    { limit, place }: { limit: number; place: KeysetPosition | undefined },
  ): Promise<UsedPage> {
    const beyond = beyondPlace(list, place);
    const page = beyond.slice(0, limit);
    const last = page.at(-1);
    const used = await live(
      account,
      page.map(({ id }) => id),
    );
    return {
      used,
      next: last && beyond.length > limit ? [last.rank, last.id] : undefined,
      total: list.length,
      groups: 0,
      gain: 0,
    };
  }

  async function copies(account: string, groups: readonly Duplicates[]): Promise<Used[]> {
    const rows = await usageStore.copies(
      database,
      account,
      groups.map(({ blob }) => blob),
      MOST_READ,
    );
    const found = await live(
      account,
      rows.map(({ id }) => id),
    );
    const contents = new Map(rows.map(({ id, content }) => [id, content]));
    const byContent = Map.groupBy(found, ({ node }) => contents.get(node.id));
    return groups.flatMap(({ blob }) => {
      const same = (byContent.get(blob) ?? []).toSorted(
        ({ node: a }, { node: b }) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1),
      );
      if (same.length < 2) return [];
      return same
        .slice(0, MOST_COPIES)
        .map((one, at) => ({ ...one, copy: { number: at + 1, of: same.length } }));
    });
  }

  return {
    async page(account, list, page) {
      const survey = await surveys(account);
      switch (list) {
        case 'largest':
          return ranked(account, survey.largest, page);
        case 'oldest':
          return ranked(account, survey.oldest, page);
        case 'empty_folders': {
          const found = await ranked(account, survey.emptyFolders, page);
          const isEmpty = ({ kind, file_count: files }: NodeRow): boolean => kind === FOLDER && files === 0;
          return { ...found, used: found.used.filter(({ node }) => isEmpty(node)) };
        }
        case 'duplicates': {
          const { duplicates } = survey;
          const ranks = duplicates.map((group) => ({ id: String(group.blob), rank: gainOf(group) }));
          const beyond = new Set(beyondPlace(ranks, page.place).map(({ id }) => id));
          const groups = duplicates.filter(({ blob }) => beyond.has(String(blob)));
          const shown = groups.slice(0, page.limit);
          const last = shown.at(-1);
          return {
            used: await copies(account, shown),
            next: last && groups.length > page.limit ? [gainOf(last), String(last.blob)] : undefined,
            total: undefined,
            groups: duplicates.length,
            gain: duplicates.reduce((sum, group) => sum + gainOf(group), 0),
          };
        }
      }
    },
  };
}
