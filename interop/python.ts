import { join } from 'node:path';
import type { Run, Say, Scene } from './client.ts';
import { CACHE, onPath, run } from './programs.ts';

// Python clients run in the system's Python, from a script that announces each of its steps and requests its pause.

/** Installs a package; returns its version and a function that runs a script with it. */
export async function readyPython(
  say: Say,
  { module, packages }: { module: string; packages: readonly string[] },
): Promise<
  | { version: string; script: (name: string, told?: Readonly<Record<string, string>>) => Run }
  | { absent: string }
> {
  const python = onPath('python3');
  if (!python) return { absent: 'there is no python3' };
  const folder = join(CACHE, `python-${module}`);
  const env = { PYTHONPATH: folder };
  const [distribution = ''] = packages[0]!.split('==');
  const version = async (): Promise<string | undefined> => {
    const text = `import importlib.metadata as m, ${module}; print(m.version('${distribution}'))`;
    const { code, out } = await run(python, ['-c', text], { env });
    return code === 0 ? out.trim() : undefined;
  };
  if ((await version()) === undefined) {
    say(`  installing ${packages.join(' ')}`);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--target', folder, ...packages], { seconds: 900 });
  }
  const found = await version();
  if (found === undefined) return { absent: `pip could not install ${packages.join(' ')}` };
  return {
    version: found,
    script:
      (name, told = {}) =>
      (scene) =>
        callScript(python, name, { ...env, ...told }, scene),
  };
}

/** A step is complete when the script announces the next one, or ends. */
async function callScript(
  python: string,
  name: string,
  env: Readonly<Record<string, string>>,
  scene: Scene,
): Promise<void> {
  const { origin, proxy, source, person, other } = scene;
  const told = {
    ORIGIN: origin,
    PROXY: proxy.url,
    AUTHORITY: proxy.authority,
    SOURCE: source.at(''),
    ANN_NAME: person.email,
    ANN_PASSWORD: person.password,
    BOB_NAME: other.email,
    BOB_PASSWORD: other.password,
  };
  let end: (() => void) | undefined;
  let ended: Promise<void> = Promise.resolve();
  const { code, err } = await run(python, [join(import.meta.dirname, 'clients', name)], {
    env: { ...env, ...told },
    seconds: 1200,
    onLine(line, answer) {
      const [, step] = /^step (.+)/.exec(line) ?? [];
      if (step !== undefined) {
        end?.();
        ended = scene.step(step, () => new Promise<void>((resolve) => (end = resolve)));
      } else if (line === 'pause') void scene.pause().then(() => answer('\n'));
      else scene.say(line);
    },
  });
  if (code !== 0) throw new Error(err);
  end?.();
  await ended;
}
