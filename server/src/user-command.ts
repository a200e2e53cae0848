import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { AccountRow } from './account/index.ts';
import type { App } from './app.ts';
import { CommandMistake, withApp, type Say } from './command.ts';
import { readSize, sizeText, type Config } from './foundation/index.ts';

type Action = (app: App, words: readonly string[], options: Options, say: Say) => Promise<void>;

interface Options {
  readonly name?: string | undefined;
  readonly password?: string | undefined;
  readonly operator?: boolean | undefined;
}

const PAGE = 500;

async function owner(app: App, email: string | undefined): Promise<AccountRow> {
  if (!email) throw new CommandMistake('Whose account? Give its e-mail address.');
  const account = await app.accounts.byEmail(app.database, email);
  if (!account) throw new CommandMistake(`There is no account of ${email}.`);
  return account;
}

const actions: Readonly<Record<string, Action>> = {
  async add(app, [email], { name, password, operator }, say) {
    if (!email) throw new CommandMistake('Whose account? Give an e-mail address.');
    const chosen = password ?? randomBytes(12).toString('base64url');
    const account = await app.accounts.add(
      { email, name, password: chosen },
      operator ? 'operator' : 'member',
    );
    say(`${account.email} has an account, ${account.id}.`);
    if (password === undefined) say(`Password: ${chosen}`);
  },

  async list(app, _words, _options, say) {
    let last: AccountRow | undefined;
    do {
      const page = await app.accounts.list(app.database, last && [last.id], PAGE);
      for (const account of page) {
        const { used, limit } = await app.quota.of(app.database, account.id);
        const day = new Date(account.createdAt).toISOString().slice(0, 10);
        const marks = [account.role, account.status].filter((mark) => mark !== 'member' && mark !== 'active');
        say([account.id, day, `${sizeText(used)} of ${sizeText(limit)}`, account.email, ...marks].join('  '));
      }
      last = page.length === PAGE ? page.at(-1) : undefined;
    } while (last);
  },

  async storage(app, [email, ...size], _options, say) {
    const account = await owner(app, email);
    const bytes = sizeOf(size.join(' '));
    await app.database.transaction((tx) => app.quota.setLimit(tx, account.id, bytes));
    say(`${account.email} may keep ${sizeText(bytes)}.`);
  },

  async operator(app, [email], _options, say) {
    const account = await owner(app, email);
    await app.accounts.makeOperator(account.id);
    say(`${account.email} is an operator.`);
  },

  async password(app, [email], _options, say) {
    const account = await owner(app, email);
    const site = app.config.SITE_URL ?? `http://localhost:${app.config.PORT}`;
    const token = await app.passwords.oneTimeToken(account.email);
    say(`${account.email} sets a new password, once and within a day, at`);
    say(`${site}/reset-password?token=${token}`);
  },

  async 'second-factor-off'(app, [email], _options, say) {
    const account = await owner(app, email);
    await app.secondFactors.lift(account);
    say(`${account.email} signs in with the password alone, until a second factor is set up again.`);
  },

  async freeze(app, [email], _options, say) {
    const account = await owner(app, email);
    await app.accounts.freeze(account.id, true);
    say(`${account.email} is frozen; all sessions have ended.`);
  },

  async thaw(app, [email], _options, say) {
    const account = await owner(app, email);
    await app.accounts.freeze(account.id, false);
    say(`${account.email} may sign in again.`);
  },
};

function sizeOf(text: string): number {
  try {
    return readSize(text);
  } catch (error) {
    throw new CommandMistake(`The size ${(error as Error).message}`, { cause: error });
  }
}

/** `user add|list|storage|operator|password|second-factor-off|freeze|thaw`. */
export async function userCommand(config: Config, args: readonly string[], say: Say): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { name: { type: 'string' }, password: { type: 'string' }, operator: { type: 'boolean' } },
  });
  const [name = '', ...words] = positionals;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new CommandMistake(`user ${Object.keys(actions).join('|')}`);
  await withApp(config, (app) => action(app, words, values, say));
}
