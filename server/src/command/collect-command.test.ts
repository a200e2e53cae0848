import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accountApi, driveApi, taskApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { basic, PASSWORD, processEnvironment, realServer, serverProgram } from '../../testing/index.ts';

const run = promisify(execFile);
const SIZE = 3 * 2 ** 20;

/** Total size of the files in a folder. */
async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const all = await Promise.all(names.map((name) => stat(join(folder, name))));
  return all.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

test(
  'the collect command frees the bytes of a permanently deleted file at once, alongside a running server, and nothing else',
  { timeout: 120_000 },
  async () => {
    await using server = await realServer();
    await server.start();
    const { DATA_DIR: folder } = server.environment;
    const files = join(folder!, 'files');
    const email = 'ann@example.org';
    const { access_token: token } = await server.call(accountApi.signUp, {
      body: { email, password: PASSWORD, name: 'Ann' },
    });
    const dav = (method: string, path: string, body?: Buffer): Promise<Response> =>
      fetch(`${server.origin}/dav${path}`, {
        method,
        headers: { authorization: basic(email, PASSWORD) },
        ...(body ? { body: new Uint8Array(body) } : {}),
      });
    const command = async (...args: string[]): Promise<string> =>
      (
        await run(process.execPath, [serverProgram, ...args], {
          env: { ...processEnvironment, ...server.environment },
        })
      ).stdout;
    const contents = {
      '/kept.bin': randomBytes(SIZE),
      '/trashed.bin': randomBytes(SIZE),
      '/gone.bin': randomBytes(SIZE),
      '/twin.bin': randomBytes(SIZE),
    };
    for (const [path, content] of Object.entries(contents))
      expect((await dav('PUT', path, content)).status).toBe(201);
    // Same bytes as another file that is kept.
    expect((await dav('PUT', '/copy.bin', contents['/twin.bin'])).status).toBe(201);
    const { files: listed } = await server.call(driveApi.list, { query: {} }, token);
    const ids = ['gone.bin', 'copy.bin'].map((name) => listed.find((file) => file.name === name)!.id);
    const { task_id: id } = await server.call(driveApi.removeMany, { body: { ids } }, token);
    await expect
      .poll(async () => (await server.call(taskApi.get, { params: { id } }, token)).phase, {
        timeout: 30_000,
      })
      .toBe('PHASE_TYPE_COMPLETE');
    expect((await dav('DELETE', '/trashed.bin')).status).toBe(204);
    const before = await bytesIn(files);

    expect(await command('collect')).toMatch(/^Freed the space of 1 deleted file\. .+ free now\.\n$/);
    expect(before - (await bytesIn(files))).toBe(SIZE);
    expect(await command('collect')).toMatch(/^Nothing to free\. .+ free now\.\n$/);
    for (const path of ['/kept.bin', '/twin.bin'] as const)
      expect(Buffer.from(await (await dav('GET', path)).arrayBuffer()).equals(contents[path])).toBe(true);
    expect(await command('check')).toContain('Everything agrees');
  },
);
