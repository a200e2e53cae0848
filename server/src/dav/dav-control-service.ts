import type { Accounts, Passes } from '../account/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { DavControlStore } from './dav-control-store.ts';

type Pass = Awaited<ReturnType<Passes['list']>>[number];

/** State of WebDAV access for a drive and its programs. */
export interface DavControls {
  isOpen(account: string): Promise<boolean>;
  toggle(account: string, open: boolean): Promise<void>;
  applications(account: string): Promise<{ passes: Pass[]; username: string }>;
  create(
    account: string,
    name: string,
    owner: { password: string; address: string },
  ): Promise<{ pass: Pass; secret: string; username: string }>;
  remove(account: string, id: string): Promise<void>;
}

const SCOPE = 'dav';
const FOR_EVER = 0;

export function createDavControls({
  database,
  store,
  accounts,
  passes,
}: {
  database: Database;
  store: DavControlStore;
  accounts: Pick<Accounts, 'find'>;
  passes: Passes;
}): DavControls {
  const nameOf = async (id: string): Promise<string> => {
    const account = await accounts.find(database, id);
    return account ? account.email || account.phone : '';
  };
  return {
    isOpen: async (account) => !(await store.isClosed(database, account)),
    toggle: (account, open) =>
      database.transaction((tx) => (open ? store.open(tx, account) : store.close(tx, account))),
    async applications(account) {
      const all = await passes.list(account);
      return {
        username: await nameOf(account),
        passes: all.filter(({ kind, scopes }) => kind === 'app_password' && scopes.includes(SCOPE)),
      };
    },
    async create(account, name, owner) {
      const wanted = { kind: 'app_password', name, scopes: [SCOPE], days: FOR_EVER } as const;
      return { ...(await passes.create(account, wanted, owner)), username: await nameOf(account) };
    },
    remove: (account, id) => passes.revoke(account, id),
  };
}
