import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { readFileTime } from '@bowerbird/contract';
import type { Nodes, NodeRow, Placements } from '../drive/index.ts';
import type { Database, KeysetPosition, Sql, Tx } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Quota } from '../membership/index.ts';
import { hrefOf } from './dav-path.ts';
import {
  isProtected,
  sameName,
  TIMES,
  type PropertyChange,
  type PropertyName,
  type PropertySource,
  type PropertyWish,
} from './dav-property.ts';
import type { Locks } from './dav-lock-service.ts';
import type { PropertyStore } from './dav-property-store.ts';
import { resourceOf } from './dav-resource-service.ts';
import type { Precondition } from './dav-refusal.ts';
import { serialize, textOf } from './dav-xml.ts';
import { namesOf, type LockRow, type Resource } from './dav.ts';

/** Result of one property change. */
export interface PropertyResult extends PropertyName {
  readonly status: number;
  readonly precondition: Precondition | undefined;
}

export interface Properties {
  /**
   * Reads the properties of a resource and, if requested, its children: in pages, so that large folders do not block
   * others.
   */
  read(
    resource: Resource,
    options: { children: boolean; wish: PropertyWish; base: string },
  ): AsyncGenerator<PropertySource[], void, undefined>;
  /** Applies all changes, or none if one is rejected. Requires the tree lock. */
  change(tx: Tx, resource: Resource, changes: readonly PropertyChange[]): Promise<PropertyResult[]>;
  /** Replaces the properties of one node with those of another. */
  replace(tx: Tx, from: NodeRow, onto: NodeRow): Promise<void>;
  /** Copies the properties of copied nodes. */
  copied(tx: Tx, account: string, pairs: readonly (readonly string[])[]): Promise<void>;
  forgetOrphans(signal: AbortSignal): Promise<void>;
}

interface Parts {
  readonly database: Database;
  readonly store: PropertyStore;
  readonly nodes: Nodes;
  readonly locks: Locks;
  readonly quota: Quota;
  readonly placements: Placements;
  readonly clock: Clock;
}

const PAGE = 250;
const SLICE = 200;
const MOST_OF_NODE = 200;
const MOST_OF_ACCOUNT = 100_000;
const LONGEST_XML = 64 * 1024;
const ORDER = { key: 'name', descending: false, foldersFirst: true } as const;

export function createProperties(parts: Parts): Properties {
  const { database, store, nodes, locks, quota, placements, clock } = parts;

  async function rootsOf(
    sql: Sql,
    base: string,
    held: readonly LockRow[],
  ): Promise<ReadonlyMap<string, string>> {
    const roots = new Map<string, string>();
    for (const { token, account, node } of held) {
      const chain = (await nodes.chain(sql, account, node)) ?? [];
      const root = resourceOf(account, chain);
      roots.set(token, hrefOf(base, namesOf(root), root.isFolder));
    }
    return roots;
  }

  async function* pages(resource: Resource): AsyncGenerator<Resource[], void, undefined> {
    let place: KeysetPosition | undefined;
    do {
      const { rows, next } = await nodes.children(database, resource.id, {
        order: ORDER,
        limit: PAGE,
        place,
      });
      yield rows.map((node) => resourceOf(resource.account, [...resource.chain, node]));
      place = next;
    } while (place);
  }

  async function add(tx: Tx, { account, id }: Resource, changes: readonly PropertyChange[]): Promise<void> {
    for (const { namespace, name, element } of changes) {
      if (element === undefined) await store.remove(tx, id, { namespace, name });
      else await store.set(tx, account, id, { namespace, name, xml: serialize(element) });
    }
  }

  const isTime = (name: PropertyName): boolean => TIMES.some((time) => sameName(time, name));

  return {
    async *read(resource, { children, wish, base }) {
      const asks = (name: string, namespace = 'DAV:'): boolean =>
        wish.named.some((named) => named.name === name && named.namespace === namespace);
      const { account } = resource;
      const held = await locks.of(database, account);
      const tellsLocks = wish.kind !== 'some' || asks('lockdiscovery');
      const roots = await rootsOf(database, base, tellsLocks ? held.all : []);
      const space =
        asks('quota-available-bytes') || asks('quota-used-bytes')
          ? await quota.of(database, account)
          : undefined;
      const known = space && {
        available: Math.max(0, space.limit - space.used - space.reserved),
        used: space.used,
      };
      const hasDead = await store.any(database, account);

      async function sources(page: readonly Resource[]): Promise<PropertySource[]> {
        const dead = hasDead
          ? await store.of(
              database,
              page.map(({ id }) => id),
            )
          : undefined;
        return page.map((each) => ({
          resource: each,
          locks: tellsLocks ? held.on(each).map((lock) => ({ ...lock, root: roots.get(lock.token)! })) : [],
          dead: dead?.get(each.id) ?? [],
          quota: known,
          now: clock.now(),
        }));
      }

      yield await sources([resource]);
      if (!children || !resource.isFolder) return;
      for await (const page of pages(resource)) {
        yield await sources(page);
        await yieldToEventLoop();
      }
    },

    async change(tx, resource, changes) {
      const own = (await store.of(tx, [resource.id])).get(resource.id)?.length ?? 0;
      const all = await store.count(tx, resource.account);
      const setting = changes.filter(({ element }) => element !== undefined);
      const isFull = own + setting.length > MOST_OF_NODE || all + setting.length > MOST_OF_ACCOUNT;
      const judge = (change: PropertyChange): [status: number, precondition?: Precondition] => {
        const { element } = change;
        if (isProtected(change)) return [403, 'cannot-modify-protected-property'];
        if (!element) return [200];
        if (isTime(change)) return [readFileTime(textOf(element)) === undefined ? 409 : 200];
        return [isFull || serialize(element).length > LONGEST_XML ? 507 : 200];
      };
      const verdicts = changes.map((change) => ({ change, verdict: judge(change) }));
      const refused = verdicts.some(({ verdict: [status] }) => status !== 200);
      if (!refused) {
        await add(
          tx,
          resource,
          changes.filter((change) => !isTime(change)),
        );
        const time = changes.findLast((change) => isTime(change) && change.element !== undefined);
        if (time && resource.node)
          await placements.setModified(tx, resource.node, readFileTime(textOf(time.element!))!);
      }
      return verdicts.map(({ change: { namespace, name }, verdict: [status, precondition] }) => ({
        namespace,
        name,
        status: refused && status === 200 ? 424 : status,
        precondition,
      }));
    },

    async replace(tx, from, onto) {
      if (!(await store.any(tx, onto.account))) return;
      await store.removeAll(tx, onto.id);
      await store.copy(tx, onto.account, [[from.id, onto.id]]);
    },

    async copied(tx, account, pairs) {
      if (!(await store.any(tx, account))) return;
      await store.copy(
        tx,
        account,
        pairs.map(([from, to]) => [from!, to!] as const),
      );
    },

    async forgetOrphans(signal) {
      for (let after: string | undefined = ''; after !== undefined && !signal.aborted;) {
        const found: string[] = await store.nodesAfter(database, after, SLICE);
        await database.transaction((tx) => store.removeOrphans(tx, found));
        after = found.length < SLICE ? undefined : found.at(-1);
        await yieldToEventLoop();
      }
    },
  };
}
