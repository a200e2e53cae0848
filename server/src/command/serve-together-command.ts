import { CommandMistake } from './command-mistake.ts';
import type { Say } from './command.ts';
import type { Config } from '../foundation/config.ts';
import { createLog } from '../foundation/log.ts';
import type { Environment } from '../processes/messages.ts';
import { supervise } from '../processes/supervisor.ts';
import { becomeOnlyServer } from './single-server.ts';
import { explainStartFailure } from './start-failure.ts';
import { stopSignal } from '../processes/stop-signal.ts';

/** Runs several server processes until a signal stops them, and ends this process. */
export async function serveTogether(
  config: Config,
  { count, environment, complain }: { count: number; environment: Environment; complain: Say },
): Promise<never> {
  const stopped = stopSignal();
  try {
    const lock = becomeOnlyServer(config);
    lock.share();
  } catch (error) {
    const text = error instanceof CommandMistake ? error.message : explainStartFailure(error);
    if (text === undefined) throw error;
    complain(text);
    process.exit(error instanceof CommandMistake ? 2 : 1);
  }
  process.exit(await supervise({ count, environment, log: createLog(config.LOG_LEVEL), stopped }));
}
