import type { LiveTopic } from '@bowerbird/contract';
import type { Changes } from '../foundation/database/index.ts';

/** Members whose pages show files of another account. */
export type AudienceOf = (account: string) => Promise<readonly string[]>;

const GATHERED_MS = 80;

/**
 * Passes changes of files on to the members who have access to them. They are looked up after the commit and for many
 * changes at once, so that no change waits for it.
 */
export function createLiveAudience(pass: (changes: Changes) => void) {
  const owners = new Set<string>();
  let audienceOf: AudienceOf | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function passOn(): Promise<void> {
    timer = undefined;
    const changed = [...owners];
    owners.clear();
    const topics: ReadonlySet<LiveTopic> = new Set(['files']);
    for (const owner of changed) {
      // Pages that miss a change look again when they are focused.
      const members = (await audienceOf?.(owner).catch(() => [])) ?? [];
      if (members.length > 0) pass(new Map(members.map((member) => [member, topics])));
    }
  }

  return {
    add(changes: Changes): void {
      for (const [account, topics] of changes) if (topics.has('files')) owners.add(account);
      if (audienceOf && owners.size > 0) timer ??= setTimeout(() => void passOn(), GATHERED_MS).unref();
    },
    onAudience(filled: AudienceOf): void {
      audienceOf = filled;
    },
    close: (): void => clearTimeout(timer),
  };
}
