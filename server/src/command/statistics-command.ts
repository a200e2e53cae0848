import { parseArgs } from 'node:util';
import { CommandMistake } from './command-mistake.ts';
import { withApp, type Say } from './command.ts';
import type { Config } from '../foundation/index.ts';

/** Prints the page events of the last days, one line each. */
export async function statistics(config: Config, args: readonly string[], say: Say): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { days: { type: 'string', default: '30' } } });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1) throw new CommandMistake('--days must be a number of days.');
  await withApp(config, async (app) => {
    const counts = await app.statistics.of(days);
    for (const { day, name, detail, count } of counts) say([day, count, name, detail].join('  ').trimEnd());
    if (counts.length === 0) say('Nothing counted yet.');
  });
}
