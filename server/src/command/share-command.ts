import { CommandMistake } from './command-mistake.ts';
import { withApp, type Say } from './command.ts';
import type { Config } from '../foundation/index.ts';
import type { Mark } from '../share/index.ts';

const MARKS: Readonly<Record<string, { mark: Mark; now: string }>> = {
  close: { mark: 'prohibited', now: 'is blocked. Its owner can see that.' },
  review: { mark: 'auditing', now: 'is under review. Nobody can open it until then.' },
  open: { mark: 'none', now: 'is no longer blocked. It opens if its owner’s settings allow it.' },
};

/** Last segment of a link, or the id itself. */
const idOf = (link: string): string => /\/s\/([^/?#]+)/.exec(link)?.[1] ?? link;

/** `share close|review|open LINK`: moderates one share, and nothing else of its owner. */
export async function shareCommand(
  config: Config,
  [verb = '', link]: readonly string[],
  say: Say,
): Promise<void> {
  const wanted = Object.hasOwn(MARKS, verb) ? MARKS[verb] : undefined;
  if (!wanted || !link) throw new CommandMistake('Usage: share close|review|open LINK');
  const id = idOf(link);
  await withApp(config, async (app) => {
    if (!(await app.share.shares.mark(id, wanted.mark)))
      throw new CommandMistake(`Share ${id} doesn’t exist.`);
    say(`${id} ${wanted.now}`);
  });
}
