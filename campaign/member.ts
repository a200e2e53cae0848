import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi } from '@bowerbird/contract';
import type { Answer, Client } from './client.ts';
import { DriveReader } from './drive-reader.ts';
import type { Findings } from './findings.ts';
import type { Random } from './random.ts';
import { difference, digest, FOLDER, foldersOf, filesOf, nameOf, parentOf, type Tree } from './tree.ts';
import { withCopy, withEntry, withMove, without } from './tree.ts';
import { uploadInParts, uploadWhole } from './uploads.ts';

/** After this long, interrupted operations must be either complete or undone. */
const SETTLED_AFTER_MS = 90_000;

/** The server completes an upload within a minute if its client disappeared at the completion. */
const FINISHED_BY_SERVER_AFTER_MS = 75_000;

/**
 * A member who works with a drive, one operation at a time, and knows what it must contain: every successful response
 * counts; after a lost response, the drive may be as before or as after, and nothing else.
 */
export class Member {
  readonly client: Client;
  readonly name: string;
  readonly #random: Random;
  readonly #findings: Findings;
  readonly #drive: DriveReader;
  #tree: Tree = new Map();
  #made = 0;

  constructor(name: string, client: Client, random: Random, findings: Findings) {
    this.name = name;
    this.client = client;
    this.#random = random;
    this.#findings = findings;
    this.#drive = new DriveReader(name, client, findings);
  }

  get tree(): Tree {
    return this.#tree;
  }

  /** One change or one check. */
  async step(): Promise<void> {
    const random = this.#random;
    const files = filesOf(this.#tree);
    if (files.length < 4) return this.#putFile();
    if (files.length > 40) return this.#remove(random.pick(files));
    const actions = [
      () => this.#putFile(),
      () => this.#putFile(),
      () => this.#overwrite(random.pick(files)),
      () => this.#upload(),
      () => this.#upload(),
      () => this.#addFolder(),
      () => this.#moveByDav(random.pick(files)),
      () => this.#moveByApi(random.pick([...this.#tree.keys()])),
      () => this.#rename(random.pick([...this.#tree.keys()])),
      () => this.#copy(random.pick(files)),
      () => this.#trashAndBack(random.pick([...this.#tree.keys()])),
      () => this.#remove(random.pick(files)),
      () => this.#read(random.pick(files)),
      () => this.#read(random.pick(files)),
    ];
    await random.pick(actions)();
  }

  /** Compares the whole drive, including every byte, with what it must contain. */
  async verify(): Promise<void> {
    await this.#settle('at the end', [this.#tree]);
  }

  #newName(kind: string): string {
    return `${kind} ${++this.#made}`;
  }

  async #putFile(): Promise<void> {
    const path = `${this.#random.pick(foldersOf(this.#tree))}/${this.#newName('file')}.bin`;
    const content = this.#random.bytes(this.#random.between(0, 300_000));
    await this.#change(`PUT ${path}`, withEntry(this.#tree, path, digest(content)), () =>
      this.client.dav('PUT', path, { body: content }),
    );
  }

  async #overwrite(path: string): Promise<void> {
    const content = this.#random.bytes(this.#random.between(1, 200_000));
    await this.#change(`PUT over ${path}`, withEntry(this.#tree, path, digest(content)), () =>
      this.client.dav('PUT', path, { body: content }),
    );
  }

  async #upload(): Promise<void> {
    const parent = this.#random.pick(foldersOf(this.#tree));
    const name = `${this.#newName('upload')}.bin`;
    const inParts = this.#random.chance(0.25);
    const content = this.#random.bytes(inParts ? 11_000_000 : this.#random.between(1, 500_000));
    const path = `${parent}/${name}`;
    const parentId = await this.#drive.idOf(parent);
    if (parentId === undefined) return;
    // The client never returns, and leaves completing the upload to the server.
    const comesBack = this.#random.chance(0.7);
    await this.#change(`upload ${path}`, withEntry(this.#tree, path, digest(content)), async () => {
      const answer = await (inParts ? uploadInParts : uploadWhole)(
        { client: this.client, parentId, name, content },
        comesBack,
      );
      if (answer.kind === 'lost') await sleep(FINISHED_BY_SERVER_AFTER_MS);
      return answer;
    });
  }

  /** The folder is requested with the same key until there is a response: it must exist exactly once. */
  async #addFolder(): Promise<void> {
    if (foldersOf(this.#tree).length > 8) return;
    const parent = this.#random.pick(foldersOf(this.#tree).filter((path) => path.split('/').length < 4));
    const name = this.#newName('folder');
    const parentId = await this.#drive.idOf(parent);
    if (parentId === undefined) return;
    const key = `${this.name} ${name}`;
    await this.#change(
      `folder ${parent}/${name}`,
      withEntry(this.#tree, `${parent}/${name}`, FOLDER),
      async () => {
        for (let tries = 0; ; tries++) {
          const answer = await this.client.call(
            driveApi.create,
            { body: { kind: 'drive#folder', parent_id: parentId, name, conflict: 'rename' } },
            { 'idempotency-key': key },
          );
          if (answer.kind !== 'lost' || tries === 40) return answer;
          await sleep(500);
        }
      },
    );
  }

  async #moveByDav(path: string): Promise<void> {
    const to = `${this.#random.pick(foldersOf(this.#tree))}/${this.#newName('moved')}.bin`;
    await this.#change(`MOVE ${path} ${to}`, withMove(this.#tree, path, to), () =>
      this.client.dav('MOVE', path, { headers: { destination: to } }),
    );
  }

  async #moveByApi(path: string): Promise<void> {
    const places = foldersOf(this.#tree).filter(
      (folder) => folder !== parentOf(path) && folder !== path && !folder.startsWith(`${path}/`),
    );
    if (places.length === 0) return;
    const to = this.#random.pick(places);
    const [id, toId] = [await this.#drive.idOf(path), await this.#drive.idOf(to)];
    if (id === undefined || toId === undefined) return;
    await this.#change(`move ${path} to ${to}/`, withMove(this.#tree, path, `${to}/${nameOf(path)}`), () =>
      this.client.call(driveApi.move, { body: { ids: [id], to: { parent_id: toId } } }),
    );
  }

  async #rename(path: string): Promise<void> {
    const name = this.#newName('renamed');
    const id = await this.#drive.idOf(path);
    if (id === undefined) return;
    await this.#change(
      `rename ${path} to ${name}`,
      withMove(this.#tree, path, `${parentOf(path)}/${name}`),
      () => this.client.call(driveApi.rename, { params: { id }, body: { name } }),
    );
  }

  async #copy(path: string): Promise<void> {
    const to = `${this.#random.pick(foldersOf(this.#tree))}/${this.#newName('copy')}.bin`;
    await this.#change(`COPY ${path} ${to}`, withCopy(this.#tree, path, to), () =>
      this.client.dav('COPY', path, { headers: { destination: to } }),
    );
  }

  async #trashAndBack(path: string): Promise<void> {
    const id = await this.#drive.idOf(path);
    if (id === undefined) return;
    const before = this.#tree;
    const isGone = await this.#change(`trash ${path}`, without(before, path), () =>
      this.client.call(driveApi.trash, { body: { ids: [id] } }),
    );
    if (!isGone) return;
    await this.#change(`untrash ${path}`, before, () =>
      this.client.call(driveApi.untrash, { body: { ids: [id] } }),
    );
  }

  async #remove(path: string): Promise<void> {
    const id = await this.#drive.idOf(path);
    if (id === undefined) return;
    await this.#change(`delete ${path}`, without(this.#tree, path), () =>
      this.client.call(driveApi.remove, { params: { id } }),
    );
  }

  async #read(path: string): Promise<void> {
    const answer = await this.client.dav('GET', path);
    this.#findings.count('reads');
    if (answer.kind === 'refused') this.#findings.add(`${this.name}: GET ${path} says ${answer.status}`);
    if (answer.kind === 'done' && digest(answer.value) !== this.#tree.get(path))
      this.#findings.add(`${this.name}: GET ${path} gives other bytes than were kept`);
  }

  /** Performs an operation and returns whether it took effect. */
  async #change(what: string, after: Tree, work: () => Promise<Answer<unknown>>): Promise<boolean> {
    const before = this.#tree;
    const answer = await work();
    this.#findings.count(`changes ${answer.kind}`);
    if (answer.kind === 'done') {
      this.#tree = after;
      return true;
    }
    if (answer.kind === 'refused')
      this.#findings.add(
        `${this.name}: ${what} is refused with ${answer.status} ${answer.text.slice(0, 160)}`,
      );
    this.#tree = await this.#settle(what, [before, after]);
    return this.#tree === after;
  }

  /** Waits until the drive has one of these states, and returns it. */
  async #settle(what: string, possible: readonly Tree[]): Promise<Tree> {
    const deadline = performance.now() + SETTLED_AFTER_MS;
    let found: Tree | undefined;
    for (;;) {
      const looked = await this.#drive.look();
      found = looked ?? found;
      const match = looked && possible.find((tree) => difference(tree, looked) === '');
      if (match) return match;
      // Only time during which the service responds counts.
      if (looked && performance.now() > deadline) break;
      await sleep(looked ? 1_000 : 500);
    }
    this.#findings.add(
      `${this.name}: after ${what} the drive is neither as before nor as after: ${difference(possible.at(-1)!, found!)}`,
    );
    return found!;
  }
}
