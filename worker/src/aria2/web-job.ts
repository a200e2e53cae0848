import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFacts, WebSpec } from '@bowerbird/contract';
import type { Room } from '@bowerbird/storage';
import { FetchFailed, type FetchJob, type FetchReport } from '../fetch/engine.ts';
import type { Storing } from '../fetch/storing.ts';
import type { ProxyAccess } from './proxy.ts';
import { createDownload } from './download.ts';
import type { Aria2 } from './rpc.ts';

export interface JobDeps {
  readonly aria2: Aria2;
  readonly access: ProxyAccess;
  readonly storing: Storing;
  /** Free space on the disk with `folder`. */
  readonly room: Room;
  /** The job's own folder. */
  readonly folder: string;
  readonly rate: number | null;
}

interface Resume {
  readonly validator: string;
}

/** The name of the only file. */
const FILE = '0';
const CONTROL = '0.aria2';

/** Fetches one file from a web server with aria2, and moves it into the storage. */
export async function runWebJob(
  spec: WebSpec,
  facts: SourceFacts,
  job: FetchJob,
  report: FetchReport,
  { aria2, access, storing, room, folder, rate }: JobDeps,
  signal: AbortSignal,
): Promise<void> {
  const size = facts.files[0]!.size;
  const path = join(folder, FILE);
  const download = createDownload(aria2, folder, 1, access);
  if (job.kept.has(0) || !job.wanted.has(0)) return;
  if ((size ?? 0) > job.maxBytes) throw new FetchFailed('source_too_large', { final: true });
  await download.end();
  if (!(await isSame(facts, job.resume, folder))) await rm(folder, { recursive: true, force: true });
  if (facts.validator) report.resume({ validator: facts.validator } satisfies Resume);
  try {
    await download.begin('addUri', [[spec.url]], {
      ...optionsOf(folder, access, rate),
      out: FILE,
      continue: 'true',
      'max-connection-per-server': '4',
      split: '4',
      'follow-torrent': 'false',
      'follow-metalink': 'false',
      header: Object.entries(spec.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    });
    await download.watch(
      async ({ completedLength, downloadSpeed }) => {
        await room.check(1);
        const received = Number(completedLength);
        if (received > job.maxBytes) throw new FetchFailed('source_too_large', { final: true });
        report.progress({
          step: 'fetching',
          received,
          speed: Number(downloadSpeed),
          files: new Map([[0, received]]),
        });
      },
      () => false,
      signal,
    );
  } finally {
    await download.end();
  }
  const { size: whole } = await stat(path);
  if (size !== null && whole !== size) throw new FetchFailed('source_incomplete');
  if (whole > job.maxBytes) throw new FetchFailed('source_too_large', { final: true });
  report.progress({ step: 'storing', received: whole, speed: 0, files: new Map([[0, whole]]) });
  report.kept(0, await storing.keep({ id: job.id, generation: job.generation, index: 0, path }, signal));
}

/** Returns the aria2 options of all downloads. */
export function optionsOf(folder: string, access: ProxyAccess, rate: number | null): Record<string, string> {
  return {
    dir: folder,
    'all-proxy': access.address,
    'proxy-method': 'tunnel',
    'no-netrc': 'true',
    'file-allocation': 'none',
    'allow-overwrite': 'true',
    'auto-file-renaming': 'false',
    'remote-time': 'false',
    ...(rate === null ? {} : { 'max-download-limit': String(rate) }),
  };
}

/** Returns whether the folder has an unfinished download of the same version that can be continued. */
async function isSame({ validator }: SourceFacts, resume: unknown, folder: string): Promise<boolean> {
  if (!validator || (resume as Resume | null)?.validator !== validator) return false;
  // Without its control file aria2 takes a file with holes for a complete one.
  const [file, control] = await Promise.all(
    [stat(join(folder, FILE)), stat(join(folder, CONTROL))].map(exists),
  );
  return Boolean(file && control);
}

const exists = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    () => false,
  );
