import { withApp, type Say } from './command.ts';
import type { Config } from '../foundation/index.ts';

/**
 * Verifies that rows, bytes and counters agree, and repairs them if possible; with `content` it reads all
 * files. The exit code is 0 if everything agrees.
 */
export async function check(
  config: Config,
  { repair, content = false, say }: { repair: boolean; content?: boolean; say: Say },
): Promise<void> {
  await withApp(config, async (app) => {
    const findings = [
      ...(await app.drive.check({ repair })),
      ...(await app.share.check({ repair })),
      ...(content ? await app.upload.checkContent({ repair }) : []),
    ];
    for (const { what, id, detail, repaired } of findings) {
      say(`${what}  ${id}  ${detail}${repaired ? '  (repaired)' : ''}`);
    }
    const left = findings.filter(({ repaired }) => !repaired).length;
    if (findings.length === 0) say('Everything agrees.');
    else if (left === 0)
      say(
        `${findings.length} ${findings.length === 1 ? 'problem' : 'problems'} repaired. Everything agrees.`,
      );
    else {
      say(
        repair
          ? `${left} ${left === 1 ? 'problem' : 'problems'} can’t be repaired.`
          : `${left} ${left === 1 ? 'problem' : 'problems'} found. Run with --repair to fix what can be fixed.`,
      );
      process.exitCode = 1;
    }
  });
}
