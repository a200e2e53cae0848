import { readTime } from '@bowerbird/contract';
import type { Sql } from '../foundation/database/index.ts';
import type { HeldLocks } from './dav-lock-service.ts';
import { conditionFailed, DavRefusal } from './dav-refusal.ts';
import type { Resources } from './dav-resource-service.ts';
import { readReference } from './dav-path.ts';
import { etagOf, type DavRequest, type Found } from './dav.ts';
import { holds, type ResourceState } from './if-header.ts';

/** Evaluation of a request's conditions. */
export interface Conditions {
  /** Throws 412 if they are not met. */
  check(sql: Sql, asking: DavRequest, found: Found, held: HeldLocks): Promise<void>;
}

export function createConditions({ resources }: { resources: Resources }): Conditions {
  const stateOf = ({ resource, parent }: Found, held: HeldLocks): ResourceState => {
    const holding = resource ? held.on(resource) : parent ? held.on(parent).filter(({ deep }) => deep) : [];
    return { etag: etagOf(resource?.node), tokens: new Set(holding.map(({ token }) => token)) };
  };

  return {
    async check(sql, asking, found, held) {
      checkPlain(asking, found);
      const stands = await holds(asking.lists, async (tagged) => {
        if (tagged === undefined) return stateOf(found, held);
        const names = namesOfTag(tagged, asking.hosts);
        return names === undefined
          ? { etag: undefined, tokens: new Set() }
          : stateOf(await resources.find(sql, asking.account, names), held);
      });
      if (!stands) throw conditionFailed('A condition of the request does not hold.');
    },
  };
}

/** Returns undefined for an address that is not ours, because its state is unknown. */
function namesOfTag(tag: string, hosts: readonly string[]): readonly string[] | undefined {
  try {
    return readReference(tag, hosts).names;
  } catch (error) {
    if (error instanceof DavRefusal) return undefined;
    throw error;
  }
}

/** Evaluates RFC 9110's own conditions, for methods that change something. */
function checkPlain({ ifMatch, ifNoneMatch, ifUnmodifiedSince }: DavRequest, { resource }: Found): void {
  const etag = etagOf(resource?.node);
  const named = (list: string, weak: boolean): boolean =>
    list.trim() === '*'
      ? resource !== undefined
      : [...list.matchAll(/(W\/)?("[^"]*")/g)].some(
          ([, isWeak, tag]) => tag === etag && (weak || isWeak === undefined),
        );
  if (ifMatch !== undefined && !named(ifMatch, false))
    throw conditionFailed('It was changed meanwhile, or is not there.');
  if (ifNoneMatch !== undefined && named(ifNoneMatch, true))
    throw conditionFailed('It is there, or is still the same.');
  const since = readTime(ifUnmodifiedSince ?? '') ?? Number.POSITIVE_INFINITY;
  if (ifMatch === undefined && resource?.node && resource.node.modified_at >= since + 1000)
    throw conditionFailed('It was changed meanwhile.');
}
