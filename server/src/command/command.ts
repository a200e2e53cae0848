import { openApp, type App } from '../app.ts';
import { createLog, type Config } from '../foundation/index.ts';

/** Time that a command waits for a database that restarts, not for one that is down. */
export const PATIENCE_MS = 15_000;

/** Prints a line for the caller of the command. */
export type Say = (line: string) => void;

/**
 * Opens the product without listening, runs work, and closes it. Only errors are logged, separately from the
 * output.
 */
export async function withApp(config: Config, work: (app: App) => Promise<void>): Promise<void> {
  const log = createLog('warn', process.stderr);
  const app = await openApp(config, { log, patienceMs: PATIENCE_MS });
  try {
    await work(app);
  } finally {
    await app.close();
  }
}
