import {
  ApiFailure,
  decompressApi,
  type DecompressStatus,
  type ErrorId,
  type Locale,
} from '@bowerbird/contract';
import { FILE, type Nodes } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { Api } from '../foundation/http/index.ts';
import { errorText } from '../foundation/index.ts';
import type { Guard } from '../shield/index.ts';
import { taskView, type Tasks } from '../task/index.ts';
import type { ArchiveReading } from './archive-reading-service.ts';
import type { Extractions } from './extraction-service.ts';
import type { Packings } from './packing-service.ts';
import { archivedFiles } from './extraction-view.ts';
import { choose, type ExtractionState } from './extraction.ts';

interface Parts {
  database: Database;
  nodes: Nodes;
  tasks: Tasks;
  reading: ArchiveReading;
  extractions: Extractions;
  packings: Packings;
  /** Rate limit for password attempts. */
  guesses: Guard;
}

const TEXTS: Readonly<Record<Exclude<DecompressStatus, 'OK'>, ErrorId>> = {
  PASS_WORD_EMPTY: 'unzip_password_required',
  PASS_WORD_ERROR: 'unzip_password_incorrect',
  NEED_MORE_QUOTA: 'file_space_not_enough',
};
const textOf = (locale: Locale, status: DecompressStatus): string =>
  status === 'OK' ? '' : errorText(locale, TEXTS[status]);

const RUNNING_POLL_SECONDS = 3;
const IDLE_POLL_SECONDS = 10;

export function mountExtractions(
  api: Api,
  { database, nodes, tasks, reading, extractions, packings, guesses }: Parts,
): void {
  /** Counts a password as a guess unless it was right. */
  async function guessing<T>(
    { account, address, password }: { account: string; address: string; password: string },
    work: () => Promise<T>,
    isWrong: (result: T) => boolean,
  ): Promise<T> {
    if (password === '') return work();
    await guesses.attempt(account, address);
    const result = await work();
    if (!isWrong(result)) await guesses.succeed(account, address);
    return result;
  }

  api.handle(decompressApi.list, async ({ body, viewer: { account }, caller: { address, locale } }) => {
    const { password = '', path = '' } = body;
    const node = await nodes.find(database, account, body.file_id);
    if (node?.kind !== FILE || node.blob === null) throw new ApiFailure('file_not_found');
    const { verdict, archive } = await guessing(
      { account, address, password },
      async () => {
        const opened = await reading.open({ hash: node.blob!, size: node.size }, password);
        if (typeof opened === 'string') return { verdict: opened, archive: undefined };
        return { verdict: await opened.judge(choose(opened.items, []), password), archive: opened };
      },
      (found) => found.verdict === 'wrong',
    );
    const status = { right: 'OK', missing: 'PASS_WORD_EMPTY', wrong: 'PASS_WORD_ERROR' }[
      verdict
    ] as DecompressStatus;
    const items = status === 'OK' ? (archive?.items ?? []) : [];
    const folder = path.split(/[/\\]/).filter((segment) => segment !== '');
    const files = archivedFiles(items, folder);
    if (status === 'OK' && folder.length > 0 && files.length === 0 && choose(items, [path]).length === 0)
      throw new ApiFailure('file_not_found');
    return {
      status,
      status_text: textOf(locale, status),
      task_id: '',
      current_path: folder.join('/'),
      title: node.name,
      file_size: node.size,
      gcid: node.gcid ?? '',
      files,
    };
  });

  api.handle(decompressApi.decompress, async ({ body, viewer: { account }, caller: { address, locale } }) => {
    const { password = '' } = body;
    const { status, task, files } = await guessing(
      { account, address, password },
      () =>
        extractions.begin({
          account,
          archive: body.file_id,
          password,
          chosen: (body.files ?? []).flatMap(({ path }) => (path ? [path] : [])),
          parent: body.default_parent === true ? undefined : body.parent_id,
        }),
      (begun) => begun.status === 'PASS_WORD_ERROR',
    );
    return {
      status,
      status_text: textOf(locale, status),
      task_id: task?.id ?? '',
      files_num: files,
      redirect_link: '',
    };
  });

  api.handle(decompressApi.pack, async ({ body, viewer }) => ({
    task_id: (await packings.begin(viewer.account, body.folderId)).id,
  }));

  api.handle(decompressApi.unpack, async ({ body, viewer: { account } }) => {
    const wanted = { account, archive: body.folderId, password: '', chosen: [], parent: undefined };
    const { status, task } = await extractions.begin(wanted);
    if (status !== 'OK' || !task) throw new ApiFailure(status === 'OK' ? 'internal' : TEXTS[status]);
    return { task_id: task.id };
  });

  api.handle(decompressApi.progress, async ({ query, viewer, caller }) => {
    const task = await tasks.find<ExtractionState>(database, viewer.account, query.task_id);
    if (task?.type !== 'decompress') throw new ApiFailure('task_not_found');
    const { done, total, root } = task.state;
    const { phase, progress, message } = taskView(task, caller.locale);
    return {
      progress,
      phase,
      file_id: root ?? '',
      task_size: String(total),
      task_size_completed: String(done),
      expires_in: phase === 'PHASE_TYPE_RUNNING' ? RUNNING_POLL_SECONDS : IDLE_POLL_SECONDS,
      error_description: phase === 'PHASE_TYPE_ERROR' ? message : '',
    };
  });
}
