import { malformed } from './dav-refusal.ts';

/**
 * Condition of an `If` field: a state token (without its angle brackets) or an entity tag (with its quotes).
 */
export interface Condition {
  readonly not: boolean;
  readonly token?: string;
  readonly etag?: string;
}

/** Conditions that must all hold, for the named resource or else the requested one. */
export interface ConditionList {
  readonly resource: string | undefined;
  readonly conditions: readonly Condition[];
}

/** State of a resource: `etag` is undefined if it does not exist. */
export interface ResourceState {
  readonly etag: string | undefined;
  readonly tokens: ReadonlySet<string>;
}

const MOST_CONDITIONS = 500;

/** Parses an `If` field (RFC 4918, 10.4); empty if absent. Malformed fields are rejected with 400. */
export function readIf(header: string | undefined): readonly ConditionList[] {
  if (header === undefined) return [];
  const lists: ConditionList[] = [];
  const rest = { text: header.trim(), count: 0 };
  const take = (pattern: RegExp): string[] | undefined => {
    const match = pattern.exec(rest.text);
    if (!match) return undefined;
    rest.text = rest.text.slice(match[0].length).trimStart();
    return match;
  };
  const broken = () => malformed('The If field is not well-formed.');
  let resource: string | undefined;
  while (rest.text !== '') {
    const tag = take(/^<([^<>\s]*)>/);
    if (tag) {
      if (!rest.text.startsWith('(')) throw broken();
      resource = tag[1];
    }
    if (!take(/^\(/)) throw broken();
    const conditions: Condition[] = [];
    while (!take(/^\)/)) {
      const not = take(/^not(?=[\s<[])/i) !== undefined;
      const token = take(/^<([^<>\s]+)>/);
      const etag = token ? undefined : take(/^\[((?:W\/)?"[^"]*")\]/);
      if ((!token && !etag) || (rest.count += 1) > MOST_CONDITIONS) throw broken();
      conditions.push(token ? { not, token: token[1]! } : { not, etag: etag![1]! });
    }
    if (conditions.length === 0) throw broken();
    lists.push({ resource, conditions });
  }
  if (lists.length === 0) throw broken();
  return lists;
}

/** Token of a `Lock-Token` field; some clients omit its angle brackets. */
export function readLockToken(header: string | undefined): string | undefined {
  return /^\s*(?:<([^<>\s]+)>|([^<>\s]+))\s*$/
    .exec(header ?? '')
    ?.slice(1)
    .find((token) => token !== undefined);
}

/** Every token that a client submits, anywhere in the lists. */
export function submittedTokens(lists: readonly ConditionList[]): Set<string> {
  return new Set(
    lists.flatMap(({ conditions }) =>
      conditions.flatMap(({ token }) => (token === undefined ? [] : [token])),
    ),
  );
}

/** Returns true if one of the lists holds, or there is none. */
export async function holds(
  lists: readonly ConditionList[],
  stateOf: (resource: string | undefined) => Promise<ResourceState>,
): Promise<boolean> {
  if (lists.length === 0) return true;
  for (const { resource, conditions } of lists) {
    const { etag, tokens } = await stateOf(resource);
    const isTrue = (condition: Condition): boolean =>
      condition.not !==
      (condition.token === undefined ? condition.etag === etag : tokens.has(condition.token));
    if (conditions.every(isTrue)) return true;
  }
  return false;
}
