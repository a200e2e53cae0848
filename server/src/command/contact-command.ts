import { parseArgs } from 'node:util';
import { CommandMistake } from './command-mistake.ts';
import { withApp, type Say } from './command.ts';
import type { Config } from '../foundation/index.ts';

/** `contact list`: messages from visitors to the administrator. */
export async function contactCommand(
  config: Config,
  [verb, ...args]: readonly string[],
  say: Say,
): Promise<void> {
  if (verb !== 'list') throw new CommandMistake('Usage: contact list [--days DAYS]');
  const { values } = parseArgs({ args, options: { days: { type: 'string', default: '30' } } });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1) throw new CommandMistake('--days must be a number of days.');
  await withApp(config, async (app) => {
    const messages = await app.contacts.of(days);
    for (const { createdAt, topic, email, link, message, account, locale } of messages) {
      say(
        [new Date(createdAt).toISOString().slice(0, 16), topic, email, account ?? 'visitor', locale].join(
          '  ',
        ),
      );
      if (link !== '') say(`  ${plain(link)}`);
      for (const line of message.split('\n')) say(`  ${plain(line)}`);
      say('');
    }
    if (messages.length === 0) say('No messages.');
  });
}

/** Strips control characters, since strangers wrote the text. */
const plain = (line: string): string => line.replaceAll(/\p{Cc}/gu, ' ');
