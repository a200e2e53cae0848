import { parseArgs } from 'node:util';
import type { AccountRow } from '../account/index.ts';
import type { App } from '../app.ts';
import { CommandMistake } from './command-mistake.ts';
import { withApp, type Say } from './command.ts';
import { DAY_MS, dayOf, MOST_DAYS, planOf, sizeOf, wholeNumber } from './argument.ts';
import { sizeText, type Config } from '../foundation/index.ts';

type Action = (app: App, words: readonly string[], options: Options, say: Say) => Promise<void>;

interface Options {
  readonly name?: string | undefined;
  readonly password?: string | undefined;
  readonly operator?: boolean | undefined;
  readonly now?: boolean | undefined;
}

const PAGE = 500;
/** States that are not printed. */
const UNMARKED = new Set(['member', 'active', '']);

const nameOf = ({ email, phone }: AccountRow): string => email || phone;

async function owner(app: App, name: string | undefined): Promise<AccountRow> {
  if (!name) throw new CommandMistake('Which account? Add its email address or phone number.');
  const account = await app.accounts.named(app.database, name);
  if (!account) throw new CommandMistake(`There’s no account for ${name}.`);
  return account;
}

/** Prints a link for setting a new password, so that only the user knows it. */
async function sayLink(app: App, account: AccountRow, say: Say): Promise<void> {
  const site = app.config.SITE_URL ?? `http://localhost:${app.config.PORT}`;
  const token = await app.passwords.oneTimeToken(account);
  say(`With this link, ${nameOf(account)} can set a new password. It works once and expires in a day:`);
  say(`${site}/reset-password?token=${token}`);
}

const actions: Readonly<Record<string, Action>> = {
  async add(app, [email], { name, password, operator }, say) {
    if (!email) throw new CommandMistake('Which account? Add an email address.');
    const account = await app.accounts.add({ email, name, password }, operator ? 'operator' : 'member');
    say(`Account created for ${nameOf(account)}: ${account.id}`);
    if (password === undefined) await sayLink(app, account, say);
  },

  async list(app, _words, _options, say) {
    let last: AccountRow | undefined;
    do {
      const page = await app.accounts.list(app.database, last && [last.id], PAGE);
      for (const account of page) {
        const { used, limit } = await app.quota.of(app.database, account.id);
        const day = dayOf(account.createdAt);
        const goes = account.closesAt === undefined ? '' : `to be deleted on ${dayOf(account.closesAt)}`;
        const marks = [account.role, account.status, goes].filter((mark) => !UNMARKED.has(mark));
        say(
          [account.id, day, `${sizeText(used)} of ${sizeText(limit)}`, nameOf(account), ...marks].join('  '),
        );
      }
      last = page.length === PAGE ? page.at(-1) : undefined;
    } while (last);
  },

  async storage(app, [email, ...size], _options, say) {
    const account = await owner(app, email);
    const bytes = sizeOf(size.join(' '));
    await app.database.transaction((tx) => app.quota.setLimit(tx, account.id, bytes));
    say(`${nameOf(account)} now has ${sizeText(bytes)} of storage.`);
  },

  async plan(app, [email, id = '', days], _options, say) {
    const account = await owner(app, email);
    const plan = planOf(app, id);
    const length = days === undefined ? undefined : wholeNumber('days', days, MOST_DAYS) * DAY_MS;
    await app.database.transaction((tx) =>
      app.benefits.grant(tx, {
        account: account.id,
        kind: 'plan',
        plan: id,
        bytes: 0,
        length,
        cause: 'administrator',
        reference: app.ids.next(),
      }),
    );
    const held = (await app.benefits.held(app.database, account.id)).find((one) => one.plan === plan);
    const end = held?.endsAt === undefined ? 'without an end' : `until ${dayOf(held.endsAt)}`;
    say(`${nameOf(account)} now has the plan ${id} ${end}.`);
  },

  async 'plan-off'(app, [email], _options, say) {
    const account = await owner(app, email);
    const ended = await app.database.transaction(async (tx) => {
      const all = await app.benefits.list(tx, account.id);
      const plans = all.filter(({ kind }) => kind === 'plan');
      let ends = 0;
      for (const { id } of plans) if (await app.benefits.revoke(tx, account.id, id)) ends += 1;
      return ends;
    });
    if (ended === 0) throw new CommandMistake(`${nameOf(account)} has the free plan.`);
    say(`${nameOf(account)} now has the free plan.`);
  },

  async operator(app, [email], _options, say) {
    const account = await owner(app, email);
    await app.accounts.makeOperator(account.id);
    say(`${nameOf(account)} is now an administrator.`);
  },

  async password(app, [email], _options, say) {
    const account = await owner(app, email);
    await sayLink(app, account, say);
  },

  async 'second-factor-off'(app, [email], _options, say) {
    const account = await owner(app, email);
    await app.secondFactors.lift(account);
    say(`Two-step verification is off for ${nameOf(account)}. They can sign in with just their password.`);
  },

  async admit(app, [email], _options, say) {
    const account = await owner(app, email);
    const isIn = await app.accounts.admit(account.id);
    if (!isIn) throw new CommandMistake(`${nameOf(account)} isn’t waiting for approval.`);
    say(`${nameOf(account)} can now sign in.`);
  },

  async freeze(app, [email], _options, say) {
    const account = await owner(app, email);
    await app.accounts.freeze(account.id, true);
    say(`${nameOf(account)} is suspended, and all their sessions have ended.`);
  },

  async review(app, [email], _options, say) {
    const account = await owner(app, email);
    await app.accounts.review(account.id);
    say(`${nameOf(account)} is under review, and all their sessions have ended.`);
  },

  async thaw(app, [email], _options, say) {
    const account = await owner(app, email);
    const isThawed = await app.accounts.freeze(account.id, false);
    if (!isThawed)
      throw new CommandMistake(
        `${nameOf(account)} is neither suspended nor under review. Run user list to see all accounts.`,
      );
    say(`${nameOf(account)} can sign in again.`);
  },

  async delete(app, [email], { now }, say) {
    const account = await owner(app, email);
    const closesAt = await app.closings.order(account, now ? 'now' : 'later');
    if (now) {
      await app.erasing.erase(account.id, new AbortController().signal);
      say(`${nameOf(account)} and everything in their drive have been deleted.`);
    } else {
      say(`${nameOf(account)} is closed and will be deleted on ${dayOf(closesAt)}.`);
      say('Until then, the owner can keep it by signing in, and you can with user keep.');
    }
  },

  async keep(app, [email], _options, say) {
    const account = await owner(app, email);
    const isKept = await app.closings.takeBack(account.id);
    if (!isKept) throw new CommandMistake(`${nameOf(account)} isn’t scheduled for deletion.`);
    say(`${nameOf(account)} won’t be deleted and can sign in again.`);
  },
};

/** `user add|list|storage|plan|plan-off|operator|password|second-factor-off|admit|freeze|review|thaw|delete|keep`. */
export async function userCommand(config: Config, args: readonly string[], say: Say): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      password: { type: 'string' },
      operator: { type: 'boolean' },
      now: { type: 'boolean' },
    },
  });
  const [name = '', ...words] = positionals;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new CommandMistake(`Usage: user ${Object.keys(actions).join('|')}`);
  await withApp(config, (app) => action(app, words, values, say));
}
