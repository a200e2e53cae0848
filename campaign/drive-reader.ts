import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi, type File } from '@bowerbird/contract';
import type { Client } from './client.ts';
import type { Findings } from './findings.ts';
import { digest, FOLDER, type Tree } from './tree.ts';

interface Entry {
  readonly id: string;
  readonly size: number;
}

/** Reads what a member's drive holds, over the API and WebDAV. */
export class DriveReader {
  readonly #name: string;
  readonly #client: Client;
  readonly #findings: Findings;
  readonly #folderIds = new Map<string, string>();

  constructor(name: string, client: Client, findings: Findings) {
    this.#name = name;
    this.#client = client;
    this.#findings = findings;
  }

  /** Returns what the drive holds now, every file by its digest; undefined while the service is away. */
  async look(): Promise<Tree | undefined> {
    const entries = await this.#entries();
    if (!entries) return undefined;
    const tree = new Map<string, string>();
    for (const [path, entry] of entries) {
      if (entry === FOLDER) {
        tree.set(path, FOLDER);
        continue;
      }
      const answer = await this.#client.dav('GET', path);
      if (answer.kind === 'lost') return undefined;
      if (answer.kind === 'refused') {
        this.#findings.add(`${this.#name}: ${path} is listed, and reading it says ${answer.status}`);
        return undefined;
      }
      tree.set(path, digest(answer.value));
    }
    return tree;
  }

  /** Returns the id of a file or folder; waits while the service is away. */
  async idOf(path: string): Promise<string | undefined> {
    if (path === '') return '';
    for (let tries = 0; tries < 120; tries++) {
      const entry = (await this.#entries())?.get(path);
      if (entry && entry !== FOLDER) return entry.id;
      if (entry === FOLDER) return this.#folderIds.get(path);
      await sleep(500);
    }
    this.#findings.add(`${this.#name}: ${path} can't be found any more`);
    return undefined;
  }

  /** All files and folders by path; undefined while the service is unavailable. */
  async #entries(parent = '', parentId = ''): Promise<Map<string, Entry | typeof FOLDER> | undefined> {
    const entries = new Map<string, Entry | typeof FOLDER>();
    const answer = await this.#client.call(driveApi.list, {
      query: {
        parent_id: parentId,
        limit: 500,
        filters: '{"trashed":{"eq":false},"phase":{"eq":"PHASE_TYPE_COMPLETE"}}',
      },
    } as never);
    if (answer.kind === 'refused' && answer.status === 401) await this.#client.signIn();
    if (answer.kind !== 'done') return undefined;
    for (const { id, name, kind, size } of answer.value.files as File[]) {
      const path = `${parent}/${name}`;
      if (kind !== 'drive#folder') {
        entries.set(path, { id, size: Number(size) });
        continue;
      }
      entries.set(path, FOLDER);
      this.#folderIds.set(path, id);
      const below = await this.#entries(path, id);
      if (!below) return undefined;
      for (const [each, entry] of below) entries.set(each, entry);
    }
    return entries;
  }
}
