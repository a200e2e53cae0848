import { parseArgs } from 'node:util';
import { isApiFailure } from '@bowerbird/contract';
import { ConfigMistakes, errorText, readConfig, type Config } from './foundation/index.ts';
import { migrateOnly } from './migrate-command.ts';
import { serve } from './serve-command.ts';
import { CommandMistake, type Say } from './command.ts';
import { userCommand } from './user-command.ts';

// The product's command line: `serve`, `migrate`, `check`, `user …`, `seed`.

const USAGE = `Commands
  serve                                  the server, and a worker beside it
  migrate                                brings the database up to date
  check [--repair]                       proves that rows, bytes and counters agree
  user add EMAIL [--name NAME] [--password PASSWORD] [--operator]
  user list                              everyone, with what they use
  user storage EMAIL SIZE                sets the storage of a member: 20 GB
  user operator EMAIL                    makes a member an operator
  user freeze EMAIL, user thaw EMAIL     ends all sessions and lets nobody in; undoes it
  seed                                   a demonstration drive with real files`;

const say: Say = (line) => console.log(line);

type Command = (config: Config, args: readonly string[]) => Promise<void>;

const commands: Readonly<Record<string, Command>> = {
  serve: (config, args) => serve(config, { dev: flags(args, 'dev').dev, say }),
  migrate: (config) => migrateOnly(config, say),
  user: (config, args) => userCommand(config, args, say),
};

/** Boolean options, and nothing else. */
function flags<Name extends string>(args: readonly string[], name: Name): Record<Name, boolean> {
  const { values } = parseArgs({ args: [...args], options: { [name]: { type: 'boolean' } } });
  return { [name]: values[name] === true } as Record<Name, boolean>;
}

async function main([name = 'serve', ...args]: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new CommandMistake(`There is no command ${name}.\n\n${USAGE}`);
  await command(readConfig(process.env), args);
}

/** What went wrong, as whoever typed the command can use it. */
function explain(error: unknown): { text: string; code: number } {
  if (error instanceof ConfigMistakes) return { text: error.message, code: 2 };
  if (error instanceof CommandMistake) return { text: error.message, code: 2 };
  if (isApiFailure(error)) return { text: errorText('en-US', error.id, error.facts), code: 1 };
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'))
    return { text: `${String(message)}\n\n${USAGE}`, code: 2 };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 };
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const { text, code } = explain(error);
  console.error(text);
  process.exit(code);
}
