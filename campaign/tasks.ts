import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi, shareApi, taskApi, type Task } from '@bowerbird/contract';
import { bytes, type Origin } from '../server/testing/index.ts';
import type { Client } from './client.ts';
import type { Findings } from './findings.ts';
import type { Random } from './random.ts';
import { digest } from './tree.ts';

/** Deadline for background work after the last fault: the longest retry delay plus two minutes. */
const ENDED_AFTER_MS = 720_000;

/** Requests downloads and saves shares, and afterwards checks that everything that was accepted has been completed. */
export class TaskMaker {
  readonly #client: Client;
  readonly #other: Client;
  readonly #origin: Origin;
  readonly #random: Random;
  readonly #findings: Findings;
  /** The expected content of each download, by its task. */
  readonly #downloads = new Map<string, string>();
  readonly #saves = new Set<string>();
  #made = 0;

  constructor(client: Client, other: Client, origin: Origin, random: Random, findings: Findings) {
    this.#client = client;
    this.#other = other;
    this.#origin = origin;
    this.#random = random;
    this.#findings = findings;
  }

  async step(): Promise<void> {
    await (this.#random.chance(0.6) ? this.#download() : this.#save());
    await sleep(this.#random.between(200, 2_000));
  }

  async #download(): Promise<void> {
    const content = this.#random.bytes(this.#random.between(5_000, 4_000_000));
    const path = `/source-${++this.#made}.bin`;
    this.#origin.put(path, this.#random.chance(0.5) ? bytes(content) : slowly(content));
    const answer = await this.#client.call(driveApi.create, {
      body: {
        kind: 'drive#file',
        upload_type: 'UPLOAD_TYPE_URL',
        folder_type: 'DOWNLOAD',
        url: { url: this.#origin.at(path) },
      },
    });
    this.#findings.count(`downloads ${answer.kind}`);
    if (answer.kind === 'done') this.#downloads.set(answer.value.task!.id, digest(content));
    if (answer.kind === 'refused')
      this.#findings.add(`a download is refused with ${answer.status} ${answer.text.slice(0, 160)}`);
  }

  /** Shares a new folder, which the other member saves. */
  async #save(): Promise<void> {
    const folder = await this.#client.call(driveApi.create, {
      body: { kind: 'drive#folder', parent_id: '', name: `shared ${++this.#made}`, conflict: 'rename' },
    });
    if (folder.kind !== 'done') return;
    const share = await this.#client.call(shareApi.create, { body: { file_ids: [folder.value.file!.id] } });
    if (share.kind !== 'done') return;
    const saved = await this.#other.call(shareApi.restore, { body: { share_id: share.value.share_id } });
    this.#findings.count(`saves ${saved.kind}`);
    if (saved.kind === 'done' && saved.value.restore_task_id) this.#saves.add(saved.value.restore_task_id);
    if (saved.kind === 'refused')
      this.#findings.add(`saving a share is refused with ${saved.status} ${saved.text.slice(0, 160)}`);
  }

  async verify(): Promise<void> {
    const deadline = performance.now() + ENDED_AFTER_MS;
    for (const [id, hash] of this.#downloads) {
      const task = await this.#end(this.#client, id, deadline);
      if (task?.phase !== 'PHASE_TYPE_COMPLETE') {
        this.#findings.add(
          `download ${id} is ${task?.phase ?? 'gone'}: ${task?.message ?? ''} ${JSON.stringify(task?.params)}`,
        );
        continue;
      }
      const content = await this.#contentOf(task.file_id);
      if (content === undefined || digest(content) !== hash)
        this.#findings.add(`download ${id} is complete, and its file is not what the site has`);
    }
    for (const id of this.#saves) {
      const task = await this.#end(this.#other, id, deadline);
      if (task?.phase !== 'PHASE_TYPE_COMPLETE')
        this.#findings.add(`saving ${id} is ${task?.phase ?? 'gone'}: ${task?.message ?? ''}`);
    }
  }

  async #end(client: Client, id: string, deadline: number): Promise<Task | undefined> {
    let task: Task | undefined;
    do {
      const answer = await client.call(taskApi.get, { params: { id } });
      if (answer.kind === 'refused' && answer.status === 401) await client.signIn();
      if (answer.kind === 'done') task = answer.value;
      if (task?.phase === 'PHASE_TYPE_COMPLETE' || task?.phase === 'PHASE_TYPE_ERROR') return task;
      await sleep(1_000);
    } while (performance.now() < deadline);
    return task;
  }

  async #contentOf(id: string): Promise<Buffer | undefined> {
    const file = await this.#client.call(driveApi.get, { params: { id }, query: {} });
    if (file.kind !== 'done') return undefined;
    const response = await fetch(file.value.web_content_link);
    return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
  }
}

/** A site that takes several seconds for a file and supports ranges. */
function slowly(content: Buffer): Parameters<Origin['put']>[1] {
  return (request, response) => {
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const end = to === '' ? content.length : Number(to) + 1;
    const isPart = request.headers.range !== undefined;
    response.writeHead(isPart ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': end - Number(from),
      'accept-ranges': 'bytes',
      etag: `"${digest(content).slice(0, 16)}"`,
      ...(isPart && { 'content-range': `bytes ${from}-${end - 1}/${content.length}` }),
    });
    if (request.method === 'HEAD') return void response.end();
    const piece = Math.ceil(content.length / 20);
    let at = Number(from);
    const timer = setInterval(() => {
      response.write(content.subarray(at, Math.min(end, at + piece)));
      at += piece;
      if (at < end) return;
      clearInterval(timer);
      response.end();
    }, 150);
    response.on('close', () => clearInterval(timer));
  };
}
