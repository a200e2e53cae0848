import { timingSafeEqual } from 'node:crypto';
import { LIMITS } from '@bowerbird/contract';
import type { AccountRow, Accounts } from '../account/index.ts';
import type { Database, Sql } from '../foundation/database/index.ts';
import type { Caller } from '../foundation/http/index.ts';
import { createFlights, type Clock, type Keys } from '../foundation/index.ts';
import type { NodeRow, Nodes } from '../drive/index.ts';
import type { Guard, Shield } from '../shield/index.ts';
import { createLiveRoots } from './share-live-roots.ts';
import { LOOPS, PASSCODE_GUESSES } from './share-limits.ts';
import type { ShareStore } from './share-store.ts';
import { checkShare, foldPasscode, type Entry, type ShareRow, type Verdict } from './share.ts';

/** Caller's credentials for a share. */
export interface Credentials {
  readonly shareId: string;
  readonly passcode?: string | undefined;
  readonly token?: string | undefined;
  /**
   * True if the share is being opened, false if its contents are requested, which requires earlier admission.
   */
  readonly atGate?: boolean;
}

/**
 * State of a share, and whether it opens to the caller. `share`, `owner` and `roots` must not be shown to the
 * caller.
 */
export interface Entered extends Verdict {
  readonly share: ShareRow | undefined;
  readonly owner: AccountRow | undefined;
  /** Version of the owner’s tree, not newer than the roots; undefined if there is nothing to list. */
  readonly treeVersion: number | undefined;
  /** Live roots, in the order in which they were shared. */
  readonly roots: readonly NodeRow[];
  readonly own: boolean;
}

/** Entered share that opened. */
export type Opened = Entered & { readonly share: ShareRow };

export function isOpen(entered: Entered): entered is Opened {
  return entered.open;
}

export interface ShareEntry {
  /**
   * Evaluates a share for the caller from the current state of everything. Attempts at the passcode are
   * counted for the share and the network together over all endpoints: `too_frequent` while a wait lasts.
   */
  enter(caller: Caller, credentials: Credentials): Promise<Entered>;
  /**
   * Same as {@link enter} for callers admitted earlier, by a link that contains the passcode's version at
   * that time.
   */
  reenter(sql: Sql, shareId: string, passcodeVersion: number): Promise<Entered>;
  /** Reference in links into a share: they end with the share, and with the passcode of that time. */
  reference(share: ShareRow): string;
  /** Returns whether the share of a link still contains the node. */
  shows(reference: string, node: string): Promise<boolean>;
  /** Proof of admission, valid for anyone who has it. */
  token(share: ShareRow): string;
  passcodeOf(share: ShareRow): string;
}

export const PASSCODE_PURPOSE = 'share-passcode';
const TOKEN = 'share-token';

interface Parts {
  database: Database;
  store: ShareStore;
  nodes: Nodes;
  accounts: Pick<Accounts, 'find'>;
  shield: Shield;
  keys: Keys;
  clock: Clock;
}

export function createShareEntry({
  database,
  store,
  nodes,
  accounts,
  shield,
  keys,
  clock,
}: Parts): ShareEntry {
  const guesses = shield.guard('share-passcode', PASSCODE_GUESSES);
  const loops = shield.guard('share-loop', LOOPS);
  const liveRoots = createLiveRoots({ database, store, nodes });
  const trying = createFlights<Entry>((entry) => entry === 'right');

  /** Counts parallel requests with the same right passcode as one attempt. */
  const tryOnce = (share: ShareRow, passcode: string, address: string): Promise<Entry> => {
    const key = JSON.stringify([share.id, share.passcode, passcode, address]);
    return trying(keys.sign('share-try', key), () => tryPasscode(guesses, share, passcode, address));
  };

  const passcodeOf = (share: ShareRow): string =>
    share.passcode === undefined ? '' : (keys.decrypt(PASSCODE_PURPOSE, share.passcode) ?? '');

  async function look(sql: Sql, shareId: string): Promise<Omit<Entered, keyof Verdict | 'own'>> {
    const share = await store.find(sql, shareId);
    if (!share || share.cancelled) return { share, owner: undefined, treeVersion: undefined, roots: [] };
    const owner = await accounts.find(sql, share.account);
    if (!owner) return { share, owner, treeVersion: undefined, roots: [] };
    return { share, owner, ...(await liveRoots(sql, share)) };
  }

  async function tryPasscode(
    guard: Guard,
    share: ShareRow,
    passcode: string,
    address: string,
  ): Promise<Entry> {
    await guard.attempt(share.id, address);
    // Digests of equal length, so that timing reveals neither the length nor the first wrong letter.
    const right = timingSafeEqual(
      Buffer.from(keys.sign(PASSCODE_PURPOSE, foldPasscode(passcode))),
      Buffer.from(keys.sign(PASSCODE_PURPOSE, foldPasscode(passcodeOf(share)))),
    );
    if (!right) return 'wrong';
    await guard.succeed(share.id, address);
    return 'right';
  }

  function readToken(share: ShareRow, token: string): Entry {
    const opened = keys.open(TOKEN, token);
    if (!Array.isArray(opened) || opened[0] !== share.id) return 'wrong';
    return opened[1] === share.passcodeVersion && opened[2] > clock.now() ? 'right' : 'outdated';
  }

  async function reenter(sql: Sql, shareId: string, passcodeVersion: number): Promise<Entered> {
    const seen = await look(sql, shareId);
    const entry =
      seen.share?.passcode === undefined || seen.share.passcodeVersion === passcodeVersion
        ? 'right'
        : 'outdated';
    return {
      ...seen,
      ...checkShare({ ...seen, live: seen.roots.length > 0, entry, now: clock.now() }),
      own: false,
    };
  }

  return {
    passcodeOf,
    reenter,

    async enter(caller, { shareId, passcode, token, atGate = false }) {
      const seen = await look(database, shareId);
      const { share } = seen;
      const own = share !== undefined && caller.viewer?.account === share.account;
      const verdictOf = (entry: Entry): Verdict =>
        checkShare({ ...seen, live: seen.roots.length > 0, entry, now: clock.now() });

      const locked = share?.passcode !== undefined && !own;
      const atDoor = verdictOf(locked ? 'absent' : 'free');
      if (!share || atDoor.status !== 'PASS_CODE_EMPTY') return { ...seen, ...atDoor, own };

      const shown = token ? readToken(share, token) : 'absent';
      // A valid token makes the passcode unnecessary, which may be an old one in the address.
      const entry = passcode && shown !== 'right' ? await tryOnce(share, passcode, caller.address) : shown;
      // Repeated requests for contents without admission are limited; opening the gate is free.
      if (entry !== 'right' && !atGate) await loops.attempt(`${share.id} ${caller.deviceId}`, caller.address);
      return { ...seen, ...verdictOf(entry), own };
    },

    reference: ({ id, passcodeVersion }) => `${id}.${passcodeVersion}`,

    async shows(reference, node) {
      const [id = '', version] = reference.split('.');
      const { open, roots } = await reenter(database, id, Number(version));
      return (
        open && (await nodes.withinRoots(database, node, new Set(roots.map((root) => root.id)))) !== undefined
      );
    },

    token: (share) =>
      keys.seal(TOKEN, [share.id, share.passcodeVersion, clock.now() + LIMITS.passcodeTokenSeconds * 1000]),
  };
}
