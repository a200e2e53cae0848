import { ConfigMistakes, readConfig, type Config } from './foundation/config.ts';
import { PLACE } from './processes/messages.ts';
import { processCount } from './processes/process-count.ts';

// The main file of the product. A process that only supervises servers doesn't load what they consist of.

const [command = 'serve', ...args] = process.argv.slice(2);

/** Undefined if this process doesn't supervise others: it runs the command itself. */
function supervised(): { config: Config; count: number } | undefined {
  if (command !== 'serve' || args.includes('--dev') || process.env[PLACE] !== undefined) return undefined;
  try {
    const config = readConfig(process.env);
    const count = processCount(config);
    return count > 1 ? { config, count } : undefined;
  } catch (error) {
    // The command explains invalid settings.
    if (error instanceof ConfigMistakes) return undefined;
    throw error;
  }
}

const say = (line: string): void => console.log(line);
const complain = (line: string): void => console.error(line);
const environment = process.env;
const group = supervised();
if (group) {
  const { serveTogether } = await import('./command/serve-together-command.ts');
  await serveTogether(group.config, { count: group.count, environment, complain });
} else {
  const { runCommand } = await import('./command/command-line.ts');
  await runCommand(process.argv.slice(2), { environment, say, complain });
}
