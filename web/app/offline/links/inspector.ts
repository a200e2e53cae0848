import {
  offlineApi,
  type ApiCall,
  type Resource,
  type ResourceFile,
  type ResourceList,
} from '@bowerbird/contract';
import { createFileTree, type FileTree, type TreeFile } from './file-tree.ts';
import type { ParsedLink } from './parse-links.ts';

/** Result of the inspection of a link. */
export interface Found {
  readonly state: 'looking' | 'known' | 'failed' | 'unchecked';
  readonly name: string;
  /** `undefined` if unknown before the end of the download. */
  readonly size: number | undefined;
  readonly fileCount: number;
  readonly mime: string;
  readonly isOwned: boolean;
  /** Error: an identifier of the error catalog, and the server's message. */
  readonly error: string;
  readonly message: string;
  /** Address to download; the link itself, or its resolved form. */
  readonly url: string;
  /** Only for a torrent with several files. */
  readonly tree: FileTree | undefined;
  /** True once the tree has all files. */
  readonly isWhole: boolean;
}

/**
 * Returns true if a download would fail at once. A site that refused may accept a request with a cookie, which is
 * not sent during inspection.
 */
export const isDead = (found: Found | undefined, hasHeaders: boolean): boolean =>
  found?.state === 'failed' && !(hasHeaders && found.error === 'source_denied');

/** Total length of the links in one request: they are part of its address. */
const CHARACTERS = 4000;
const LINKS = 50;
/** Files in one response. */
const FILES = 2000;
const FIRST_WAIT_MS = 700;
const LONGEST_WAIT_MS = 4000;

type Entry = { -readonly [K in keyof Found]: Found[K] } & { list: string; nextFiles: string };

const unseen = (link: Pick<ParsedLink, 'url' | 'name'>, state: Found['state']): Entry => ({
  state,
  name: link.name,
  size: undefined,
  fileCount: 1,
  mime: '',
  isOwned: false,
  error: '',
  message: '',
  url: link.url,
  tree: undefined,
  isWhole: true,
  list: '',
  nextFiles: '',
});

const sizeOf = (text: string): number | undefined => (Number(text) > 0 ? Number(text) : undefined);

const treeFile = ({ file_index, name, path, file_size, meta }: ResourceFile): TreeFile => ({
  index: file_index,
  name,
  path,
  size: sizeOf(file_size) ?? 0,
  isOwned: meta['owned'] === 'true',
});

function* questions(links: readonly ParsedLink[]): Generator<ParsedLink[]> {
  let some: ParsedLink[] = [];
  let characters = 0;
  for (const link of links) {
    if (some.length === LINKS || (some.length > 0 && characters + link.url.length > CHARACTERS)) {
      yield some;
      [some, characters] = [[], 0];
    }
    some.push(link);
    characters += link.url.length;
  }
  if (some.length > 0) yield some;
}

/** Inspects links as they are added, and keeps the results. `onChange` is called for every new result. */
export function createInspector(call: ApiCall, onChange: () => void) {
  const entries = new Map<string, Entry>();
  const ended = new AbortController();
  const options = { signal: ended.signal };

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve, reject) => {
      ended.signal.addEventListener('abort', () => reject(ended.signal.reason as Error), { once: true });
      setTimeout(resolve, ms);
    });

  function take(key: string, resource: Resource, list: string): void {
    const entry = entries.get(key);
    if (!entry || entry.state === 'known') return;
    const { meta } = resource;
    const isFailed = meta['status'] === '2' || (meta['error'] ?? '') !== '';
    entry.state = isFailed ? 'failed' : meta['status'] === '0' ? 'looking' : 'known';
    entry.error = meta['error'] ?? '';
    entry.message = meta['message'] ?? '';
    if (isFailed) return;
    entry.name = resource.name || entry.name;
    entry.size = sizeOf(meta['size'] ?? resource.file_size);
    entry.fileCount = Math.max(1, resource.file_count);
    entry.mime = meta['mime_type'] ?? '';
    entry.isOwned = meta['owned'] === 'true';
    if (meta['kind'] === 'torrent' && resource.url !== '') entry.url = resource.url;
    entry.list = list;
    if (entry.state !== 'known' || !resource.dir) return;
    entry.tree = createFileTree();
    entry.tree.add(resource.dir.resources.filter(({ is_dir: isDir }) => !isDir).map(treeFile));
    entry.tree.subscribe(onChange);
    entry.nextFiles = resource.dir.next_page_token;
    entry.isWhole = entry.nextFiles === '';
  }

  async function ask(keys: readonly string[], body: { urls?: string; torrent?: string }): Promise<void> {
    let reply: ResourceList = await call(
      offlineApi.inspect,
      { body: { ...body, page_size: FILES } },
      options,
    );
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 1.5)) {
      for (const [at, key] of keys.entries()) {
        const resource = reply.list.resources[at];
        if (resource) take(key, resource, reply.list_id);
      }
      onChange();
      if (!keys.some((key) => entries.get(key)?.state === 'looking')) return;
      await pause(wait);
      reply = await call(
        offlineApi.inspectMore,
        { params: { list_id: reply.list_id }, query: { page_size: FILES } },
        options,
      );
    }
  }

  /** Without a response a link is unchecked: it can be downloaded all the same. */
  function settle(keys: readonly string[], work: Promise<void>): Promise<void> {
    return work.catch(() => {
      if (ended.signal.aborted) return;
      for (const key of keys) {
        const entry = entries.get(key);
        if (entry?.state === 'looking') entry.state = 'unchecked';
      }
      onChange();
    });
  }

  async function readAll(entry: Entry): Promise<void> {
    while (!entry.isWhole) {
      const reply: ResourceList = await call(
        offlineApi.inspectMore,
        { params: { list_id: entry.list }, query: { page_token: entry.nextFiles, page_size: FILES } },
        options,
      );
      const dir = reply.list.resources.find((one) => one.dir !== null)?.dir;
      entry.tree!.add((dir?.resources ?? []).filter(({ is_dir: isDir }) => !isDir).map(treeFile));
      entry.nextFiles = dir?.next_page_token ?? '';
      entry.isWhole = entry.nextFiles === '';
    }
    onChange();
  }
  const reading = new Map<string, Promise<void>>();

  return {
    get: (key: string): Found | undefined => entries.get(key),
    /** Inspects links that were not inspected before. */
    look(links: readonly ParsedLink[]): void {
      const fresh = links.filter(({ key }) => !entries.has(key));
      for (const some of questions(fresh)) {
        for (const link of some) entries.set(link.key, unseen(link, 'looking'));
        const keys = some.map(({ key }) => key);
        void settle(keys, ask(keys, { urls: some.map(({ url }) => url).join('\n') }));
      }
      if (fresh.length > 0) onChange();
    },
    /** Reads a .torrent file; rejects if it is invalid. */
    async lookInto(key: string, name: string, base64: string): Promise<void> {
      entries.set(key, unseen({ name, url: '' }, 'looking'));
      onChange();
      try {
        await ask([key], { torrent: base64 });
      } catch (error) {
        entries.delete(key);
        onChange();
        throw error;
      }
    },
    /** Loads the rest of a torrent's files. */
    whole(key: string): Promise<void> {
      const entry = entries.get(key);
      if (!entry || entry.isWhole) return Promise.resolve();
      const known = reading.get(key);
      if (known) return known;
      const work = readAll(entry).finally(() => reading.delete(key));
      reading.set(key, work);
      return work;
    },
    forget(key: string): void {
      entries.delete(key);
      onChange();
    },
    end: (): void => ended.abort(),
  };
}

export type Inspector = ReturnType<typeof createInspector>;
