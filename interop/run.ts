import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bytes, openOrigin } from '../server/testing/index.ts';
import { emulateOpenList, emulatePikPakApi, emulateRclone } from './emulated.ts';
import { findPikPakApi, findRclone, onPath, run } from './programs.ts';
import { startProxy } from './proxy.ts';
import { runRclone } from './rclone.ts';
import { startServer } from './server.ts';
import { canMount, runDavfs, runLitmus, runRcloneOverWebDav, runRestic } from './webdav.ts';

// Clients of the protocol as their users have them, against a real server: whatever of them this machine has or can
// have. Names on the command line choose among them.

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);

await using server = await startServer();
await using proxy = await startProxy(server.folder, server);
await using source = await openOrigin();
source.put('/feather.bin', bytes(Buffer.alloc(300_000, 'feather')));
const [ann, bob, cat, dan] = server.people;

interface Outcome {
  readonly client: string;
  readonly how: 'real' | 'emulated';
  readonly failure: string | undefined;
}
const outcomes: Outcome[] = [];
const absent: string[] = [];

async function prove(client: string, how: Outcome['how'], work: () => Promise<void>): Promise<void> {
  try {
    await work();
    outcomes.push({ client, how, failure: undefined });
  } catch (error) {
    outcomes.push({ client, how, failure: (error as Error).message });
  }
}

const scene = { origin: server.origin, source: source.at('/feather.bin') };

if (isWanted('pikpakapi')) {
  const found = await findPikPakApi(say);
  await (found
    ? prove('PikPakAPI', 'real', async () => {
        const { code, out, err } = await run(
          found.python,
          [join(import.meta.dirname, 'call_pikpakapi.py'), proxy.url, proxy.authority, source.at('')],
          {
            env: {
              ...found.env,
              ANN_NAME: ann.email,
              ANN_PASSWORD: ann.password,
              BOB_NAME: bob.email,
              BOB_PASSWORD: bob.password,
            },
          },
        );
        process.stdout.write(out);
        if (code !== 0) throw new Error(err);
      })
    : prove('PikPakAPI', 'emulated', () => emulatePikPakApi(scene, ann)));
}

if (isWanted('rclone')) {
  const program = await findRclone(say);
  const folder = join(server.folder, 'rclone');
  await mkdir(folder);
  await (program
    ? prove('rclone', 'real', () => runRclone({ ...scene, program, proxy, person: cat, folder, say }))
    : prove('rclone', 'emulated', () => emulateRclone(scene, cat)));
}

// Its module is not published where modules are had, so its drivers are always spoken for.
if (isWanted('openlist'))
  await prove('OpenList, PikPak and PikPakShare', 'emulated', () => emulateOpenList(scene, bob));

/** Programs of the machine over WebDAV: each with what it needs there. */
const overWebDav = {
  litmus: { needs: ['litmus'], work: runLitmus },
  webdav: { needs: ['rclone'], work: runRcloneOverWebDav },
  restic: { needs: ['restic', 'rclone'], work: runRestic },
  davfs2: { needs: ['mount.davfs'], work: runDavfs },
};
for (const [name, { needs, work }] of Object.entries(overWebDav)) {
  if (!isWanted(name)) continue;
  const missing = needs.filter((program) => !onPath(program));
  if (missing.length > 0 || (work === runDavfs && !canMount())) {
    absent.push(`${name} over WebDAV: ${missing[0] ?? 'a right to mount'} is not here`);
    continue;
  }
  const folder = join(server.folder, name);
  await mkdir(folder);
  await prove(`${name} over WebDAV`, 'real', () => work({ origin: server.origin, person: dan, folder, say }));
}

for (const text of absent) say(`absent ${text}`);
for (const { client, how, failure } of outcomes)
  say(
    `${failure === undefined ? 'works' : 'FAILS'}  ${client} (${how})${failure === undefined ? '' : `: ${failure}`}`,
  );
process.exitCode = outcomes.length > 0 && outcomes.every(({ failure }) => failure === undefined) ? 0 : 1;
