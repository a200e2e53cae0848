import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decompressApi, driveApi, taskApi } from '@bowerbird/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  contentOf,
  eachDatabase,
  openTestApp,
  plant,
  type Member,
  type TestApp,
} from '../../testing/index.ts';
import { rawRar5 } from '../../testing/archives/raw-rar.ts';
import { rawZip } from '../../testing/archives/raw-zip.ts';

const FILES = Array.from({ length: 40 }, (_, at) => ({
  name: `nest/${String(at).padStart(3, '0')}.txt`,
  content: `feather ${at} `.repeat(4000),
}));
const SIZE = FILES.reduce((sum, { content }) => sum + content.length, 0);
const JOBS_ALONE = join(import.meta.dirname, '../../testing/jobs-alone.ts');

/** Archive engines that are children of a process, from Linux's process list. */
function enginesOf(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
  return children
    .filter((pid) => pid !== '')
    .map(Number)
    .filter((pid) => commandOf(pid).includes('\0unpack'));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries > 4000) throw new Error('gave up waiting');
    await sleep(5);
  }
}

const isGone = (pid: number): boolean => !commandOf(pid).includes('\0unpack');

// The test lists processes, which works on Linux only.
describe.runIf(process.platform === 'linux')('after a kill', () =>
  eachDatabase((dialect) => {
    async function begun(
      made: Buffer,
    ): Promise<{ app: TestApp; ann: Member; taskId: string; before: number }> {
      const app = await openTestApp({ dialect });
      const ann = await app.signUp('ann');
      const { 'bower.rar': id } = await plant(app, ann.id, { 'bower.rar': made });
      const { used: before } = await app.quota.of(app.database, ann.id);
      const { task_id: taskId } = await ann.call(decompressApi.decompress, { body: { file_id: id! } });
      return { app, ann, taskId, before };
    }

    const doneOf = async (ann: Member, taskId: string): Promise<number> =>
      Number((await ann.call(decompressApi.progress, { query: { task_id: taskId } })).task_size_completed);

    /** Ends the dead process's lease and the wait after failures, which would expire by themselves. */
    const wakeJobs = (app: TestApp): Promise<unknown> =>
      app.database.transaction((tx) =>
        sql`update job set lease_until = null, run_at = 0 where kind = 'extract'`.execute(tx.on()),
      );

    async function expectWhole(app: TestApp, ann: Member, taskId: string, before: number): Promise<void> {
      const task = await ann.call(taskApi.get, { params: { id: taskId } });
      expect(task).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', progress: 100 });
      const { files: folders } = await ann.call(driveApi.list, { query: { parent_id: task.file_id } });
      expect(folders.map(({ name }) => name)).toEqual(['nest']);
      const { files } = await ann.call(driveApi.list, {
        query: { parent_id: folders[0]!.id, limit: '500', order: 'NAME_ASC' },
      });
      expect(files.map(({ name, size }) => `nest/${name} ${size}`)).toEqual(
        FILES.map(({ name, content }) => `${name} ${content.length}`),
      );
      expect((await contentOf(app, ann, files[33]!.id)).toString()).toBe(FILES[33]!.content);
      expect(await app.quota.of(app.database, ann.id)).toMatchObject({ used: before + SIZE, reserved: 0 });
      expect(await app.drive.check({ repair: false })).toEqual([]);
    }

    test.each(
      dialect === 'sqlite'
        ? [['rar', rawRar5(FILES)] as const, ['zip', rawZip(FILES)] as const]
        : [['rar', rawRar5(FILES)] as const],
    )(
      'an extraction of a %s continues after its server was killed twice, without duplicates',
      async (format, made) => {
        const { app, ann, taskId, before } = await begun(made);
        await using _ = app;
        const environment = {
          ...process.env,
          DATA_DIR: app.config.DATA_DIR,
          SITE_URL: 'http://drive.test',
          LOG_LEVEL: 'silent',
          ...(app.config.DATABASE_URL ? { DATABASE_URL: app.config.DATABASE_URL } : {}),
        };
        for (const part of [0.2, 0.6]) {
          const other = spawn(process.execPath, [JOBS_ALONE], {
            env: environment,
            stdio: ['ignore', 'ignore', 'inherit'],
          });
          let engines: number[] = [];
          try {
            await until(async () => (await doneOf(ann, taskId)) > part * SIZE);
            engines = enginesOf(other.pid!);
          } finally {
            other.kill('SIGKILL');
            await once(other, 'exit');
          }
          expect(engines).toHaveLength(format === 'rar' ? 1 : 0);
          // The engines of the killed server end.
          await until(() => engines.every(isGone));
          const done = await doneOf(ann, taskId);
          expect(done).toBeLessThan(SIZE);
          expect(await app.quota.of(app.database, ann.id)).toMatchObject({
            used: before + done,
            reserved: SIZE - done,
          });
          await wakeJobs(app);
        }
        await app.jobs.drain();
        await expectWhole(app, ann, taskId, before);
      },
      180_000,
    );

    test('an extraction continues after only its engine was killed', async () => {
      const { app, ann, taskId, before } = await begun(rawRar5(FILES));
      await using _ = app;
      const working = app.jobs.drain();
      await until(async () => (await doneOf(ann, taskId)) > 0.3 * SIZE);
      const [engine] = enginesOf(process.pid);
      process.kill(engine!, 'SIGKILL');
      await working;
      expect((await ann.call(taskApi.get, { params: { id: taskId } })).phase).toBe('PHASE_TYPE_RUNNING');
      expect(await doneOf(ann, taskId)).toBeLessThan(SIZE);
      await wakeJobs(app);
      await app.jobs.drain();
      await expectWhole(app, ann, taskId, before);
    }, 180_000);
  }),
);
