import { openApp } from '../app.ts';
import type { Say } from './command.ts';
import type { Config } from '../foundation/index.ts';
import { stopSignal } from '../processes/stop-signal.ts';

/**
 * Runs background work (copies, saves, deletions, upkeep) alongside any number of servers, without listening.
 */
export async function work(config: Config, say: Say): Promise<void> {
  const app = await openApp(config);
  app.start();
  say('The Bowerbird worker is running');
  await stopSignal();
  await app.close();
}
