import { parseArgs } from 'node:util';
import { isApiFailure } from '@bowerbird/contract';
import { StorageUnavailable } from '@bowerbird/storage';
import { DatabaseUnavailable } from '../foundation/database/index.ts';
import { ConfigMistakes, errorText, readConfig, type Config } from '../foundation/index.ts';
import { check } from './check-command.ts';
import { codeCommand } from './code-command.ts';
import { collect } from './collect-command.ts';
import { contactCommand } from './contact-command.ts';
import { migrateOnly } from './migrate-command.ts';
import { orderCommand } from './order-command.ts';
import { joinGroup } from '../processes/group.ts';
import type { Environment } from '../processes/messages.ts';
import { serve } from './serve-command.ts';
import { shareCommand } from './share-command.ts';
import { CommandMistake } from './command-mistake.ts';
import type { Say } from './command.ts';
import { StorageRefused } from '../drive/index.ts';
import { explainStartFailure } from './start-failure.ts';
import { statistics } from './statistics-command.ts';
import { userCommand } from './user-command.ts';
import { work } from './worker-command.ts';

const USAGE = `Commands
  serve [--api]                          starts the server; --api leaves out the web pages
  worker                                 runs background work only, next to servers on any machine
  migrate                                updates the database schema
  collect                                frees the space of files that were deleted forever, right away
  check [--repair] [--content]           checks that records, data and counters agree; --content reads all files
  user add EMAIL [--name NAME] [--password PASSWORD] [--operator]
  user list                              lists all accounts and their storage
  user storage EMAIL SIZE                sets a member’s storage, for example 20 GB
  user plan EMAIL PLAN [DAYS]            gives a member a plan, for example vip
  user plan-off EMAIL                    ends all plans of a member
  user operator EMAIL                    makes a member an administrator
  user password EMAIL                    prints a link for setting a new password
  user second-factor-off EMAIL           turns off two-step verification for a member
  user admit EMAIL                       approves an account that’s waiting (SIGN_UP=approval)
  user freeze EMAIL, user thaw EMAIL     suspends an account and ends its sessions; lifts the suspension
  user review EMAIL                      suspends an account and shows it as under review; undo with user thaw
  user delete EMAIL [--now]              deletes an account after the grace period, or right away
  user keep EMAIL                        cancels the deletion of an account
  code create COUNT (--plan PLAN | --storage SIZE) --days DAYS [--uses USES] [--start DATE] [--end DATE]
              [--for everyone|new-accounts|free-plan] [--note NOTE]
                                         creates activation codes, which members redeem for a plan or storage
  code list                              lists all batches of codes and how often they were redeemed
  code export BATCH                      prints the codes of a batch as CSV
  code end BATCH                         makes the codes of a batch invalid
  order list [--all]                     lists the orders that aren’t paid; with --all, every order
  order renewals [--all]                 lists the plans that renew automatically; with --all, also those that ended
  order confirm REFERENCE                marks an order as paid, which grants what was ordered
  order cancel REFERENCE                 cancels an order that isn’t paid
  order refund REFERENCE                 marks a paid order as refunded, which ends what it granted
  order invoices [REFERENCE] [--out FOLDER] [--language LANGUAGE]
                                         lists invoices and credit notes; with --out, writes them as PDF files
  share close LINK, share open LINK      blocks a share for everyone; unblocks it
  share review LINK                      blocks a share and shows it as under review; undo with share open
  statistics [--days DAYS]               shows what happened on the pages, per day
  contact list [--days DAYS]             shows messages from the contact form
  seed [--password PASSWORD]             creates a demo drive with real files`;

/** Surroundings of a command. */
export interface Surroundings {
  readonly environment: Environment;
  readonly say: Say;
  /** Prints the reason for a failure. */
  readonly complain: Say;
}

type Command = (config: Config, args: readonly string[], surroundings: Surroundings) => Promise<void>;

const commands: Readonly<Record<string, Command>> = {
  serve: (config, args, { environment, say }) =>
    serve(config, { ...flags(args, 'api', 'dev'), group: joinGroup(environment), say }),
  worker: (config, _args, { say }) => work(config, say),
  migrate: (config, _args, { say }) => migrateOnly(config, say),
  collect: (config, _args, { say }) => collect(config, say),
  check: (config, args, { say }) => check(config, { ...flags(args, 'repair', 'content'), say }),
  user: (config, args, { say }) => userCommand(config, args, say),
  code: (config, args, { say }) => codeCommand(config, args, say),
  order: (config, args, { say }) => orderCommand(config, args, say),
  share: (config, args, { say }) => shareCommand(config, args, say),
  statistics: (config, args, { say }) => statistics(config, args, say),
  contact: (config, args, { say }) => contactCommand(config, args, say),
  async seed(config, args, { say }) {
    const { seed } = await import('./seed-command.ts');
    await seed(config, args, say);
  },
};

/** Parses boolean options; any others are rejected. */
function flags<Name extends string>(args: readonly string[], ...names: Name[]): Record<Name, boolean> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'boolean' as const }]));
  const { values } = parseArgs({ args: [...args], options });
  return Object.fromEntries(names.map((name) => [name, values[name] === true])) as Record<Name, boolean>;
}

/** Explanation of a failure for the user of the command line. */
function explain(error: unknown): { text: string; code: number } {
  if (error instanceof ConfigMistakes) return { text: error.message, code: 2 };
  if (error instanceof CommandMistake) return { text: error.message, code: 2 };
  if (isApiFailure(error)) return { text: errorText('en-US', error.id, error.facts), code: 1 };
  if (error instanceof DatabaseUnavailable) return { text: error.message, code: 1 };
  if (error instanceof StorageRefused) return { text: error.message, code: 1 };
  if (error instanceof StorageUnavailable) return { text: `${error.message}.`, code: 1 };
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'))
    return { text: `${String(message)}\n\n${USAGE}`, code: 2 };
  const sentence = explainStartFailure(error);
  if (sentence !== undefined) return { text: sentence, code: 1 };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 };
}

/** Runs a command of the product; ends the process with an explanation if it fails. */
export async function runCommand(
  [name = 'serve', ...args]: readonly string[],
  surroundings: Surroundings,
): Promise<void> {
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new CommandMistake(`Unknown command: ${name}.\n\n${USAGE}`);
    await command(readConfig(surroundings.environment), args, surroundings);
  } catch (error) {
    const { text, code } = explain(error);
    surroundings.complain(text);
    process.exit(code);
  }
}
