import type { LiveTopic } from '@bowerbird/contract';

/** Changed topics, by account. */
export type Changes = ReadonlyMap<string, ReadonlySet<LiveTopic>>;

/** Collects what a transaction changes; most change one account, or nothing that pages show. */
export function createChangeRecord(): {
  add(account: string, topic: LiveTopic): void;
  /** Undefined if nothing was added. */
  all(): Changes | undefined;
} {
  let changes: Map<string, Set<LiveTopic>> | undefined;
  return {
    add(account, topic) {
      changes ??= new Map();
      const known = changes.get(account);
      if (known) known.add(topic);
      else changes.set(account, new Set([topic]));
    },
    all: () => changes,
  };
}

/** Notes a change of the accounts whose rows a statement returned. Returns the number of rows. */
export function noteChanged(
  tx: { changed(account: string, topic: LiveTopic): void },
  topic: LiveTopic,
  rows: readonly { readonly account: string }[],
): number {
  for (const { account } of rows) tx.changed(account, topic);
  return rows.length;
}
