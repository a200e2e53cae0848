import {
  mimeOf,
  type FileStatus,
  type Locale,
  type offlineApi,
  type ReplyOf,
  type Resource,
  type ResourceFile,
} from '@bowerbird/contract';
import { errorText } from '../foundation/index.ts';
import type { Shown, ShownFiles, ShownList } from './offline-resource-service.ts';
import type { SourceFileRow } from './offline.ts';

/** Returns the inspection results of several links; with a token for more files if they are of one link only. */
export function resourceListView(
  { id, pageSize, resources: shown }: ShownList,
  locale: Locale,
): ReplyOf<typeof offlineApi.inspect> {
  const resources = shown.map((one) => resourceView(one, locale));
  return {
    list_id: id,
    list: {
      page_size: pageSize,
      next_page_token: resources.length === 1 ? (resources[0]!.dir?.next_page_token ?? '') : '',
      resources,
    },
  };
}

function resourceView(shown: Shown, locale: Locale): Resource {
  const { id, url, name, size, count, kind, hash, pending, error, isOwned, files: page } = shown;
  return {
    id,
    name,
    file_size: String(size ?? 0),
    file_count: count,
    file_index: 0,
    meta: {
      status: error ? '2' : pending ? '0' : '1',
      kind,
      ...(pending || error || size === undefined ? {} : { size: String(size) }),
      ...(pending || error || page ? {} : { mime_type: mimeOf(name) }),
      ...(hash === undefined ? {} : { hash }),
      ...(error ? { error, message: errorText(locale, error) } : {}),
      ...(isOwned || (page && isWhollyOwned(page)) ? { owned: 'true' } : {}),
    },
    is_dir: page !== undefined,
    parent_id: '',
    resolver: 'DIRECT',
    path: '',
    url,
    dir: page
      ? {
          page_size: page.pageSize,
          next_page_token: page.next,
          resources: page.files.map((file) => resourceFileView(id, file, page.owned.has(file.position))),
        }
      : null,
  };
}

const isWhollyOwned = ({ files, owned }: ShownFiles): boolean =>
  files.length > 0 && files.every(({ position }) => owned.has(position));

function resourceFileView(parent: string, file: SourceFileRow, owned: boolean): ResourceFile {
  const name = file.path.at(-1)!;
  return {
    id: String(file.position),
    name,
    file_size: String(file.size ?? 0),
    file_count: 1,
    file_index: file.position,
    meta: { status: '1', mime_type: mimeOf(name), ...(owned ? { owned: 'true' } : {}) },
    is_dir: false,
    parent_id: parent,
    resolver: 'DIRECT',
    path: file.path.slice(0, -1).join('/'),
    url: '',
    dir: null,
  };
}

/** Returns the status of one file of a task. */
export function fileStatusView(
  file: SourceFileRow,
  { node, phase, locale }: { node: string | undefined; phase: FileStatus['phase']; locale: Locale },
): FileStatus {
  const failed = file.state === 'failed' ? (file.failure?.error ?? 'internal') : undefined;
  return {
    file_index: file.position,
    name: file.path.at(-1)!,
    path: file.path.slice(0, -1).join('/'),
    file_size: String(file.size ?? 0),
    received: String(file.state === 'kept' ? (file.size ?? file.received) : file.received),
    phase: node === undefined ? (failed ? 'PHASE_TYPE_ERROR' : phase) : 'PHASE_TYPE_COMPLETE',
    message: failed ? errorText(locale, failed, { ...file.failure?.facts }) : '',
    error: failed ?? '',
    file_id: node ?? '',
  };
}
