import assert from 'node:assert/strict';
import type { Client, Scene } from '../client.ts';
import { openDesk } from '../desk.ts';
import { onPath, versionOf } from '../programs.ts';

/** The test suite for WebDAV servers: all of it, before and after a pause. */
export const litmus: Client = {
  title: 'litmus over WebDAV',
  async ready() {
    const program = onPath('litmus');
    if (!program) return { absent: 'there is no litmus' };
    return { version: await versionOf(program), run: (scene) => runLitmus(scene, program) };
  },
};

async function runLitmus(scene: Scene, program: string): Promise<void> {
  const { shell, url, user, secret } = await openDesk(scene);
  const suite = async (name: string): Promise<void> => {
    const said = await shell(program, '-k', url, user, secret);
    const suites = [...said.matchAll(/summary for `(\w+)': of (\d+) tests run: (\d+) passed, (\d+) failed/g)];
    assert.deepEqual(
      suites.map(([, each]) => each),
      ['basic', 'copymove', 'props', 'locks', 'http'],
    );
    const sum = (at: number): number => suites.reduce((total, each) => total + Number(each[at]), 0);
    const skipped = (said.match(/SKIPPED/g) ?? []).length;
    const troubles = said.split('\n').filter((line) => /WARNING|FAIL/.test(line));
    scene.count(name, { passed: sum(3), failed: sum(4), skipped }, troubles);
    assert.deepEqual(troubles, []);
  };
  await suite('before the pause');
  await scene.pause();
  await suite('after the pause');
}
