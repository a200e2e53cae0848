import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFacts, WebSpec } from '@bowerbird/contract';
import type { Room } from '@bowerbird/storage';
import { FetchFailed, type FetchJob, type FetchReport } from '../fetch/engine.ts';
import type { Storing } from '../fetch/storing.ts';
import type { Way } from './proxy.ts';
import { createTransfer } from './transfer.ts';
import type { Aria2 } from './rpc.ts';

export interface JobDeps {
  readonly aria2: Aria2;
  readonly way: Way;
  readonly storing: Storing;
  /** Of the disk with `folder`. */
  readonly room: Room;
  /** The job's own folder. */
  readonly folder: string;
  readonly rate: number | null;
}

interface Resume {
  readonly validator: string;
}

/** Our only file, under a name of ours. */
const FILE = '0';
const CONTROL = '0.aria2';

/** Lets aria2 fetch one file from a web server, and brings it into the storage. */
export async function runWebJob(
  spec: WebSpec,
  facts: SourceFacts,
  job: FetchJob,
  report: FetchReport,
  { aria2, way, storing, room, folder, rate }: JobDeps,
  signal: AbortSignal,
): Promise<void> {
  const size = facts.files[0]!.size;
  const path = join(folder, FILE);
  const transfer = createTransfer(aria2, folder, 1, way);
  if (job.kept.has(0) || !job.wanted.has(0)) return;
  if ((size ?? 0) > job.maxBytes) throw new FetchFailed('source_too_large', { final: true });
  await transfer.end();
  if (!(await isSame(facts, job.resume, folder))) await rm(folder, { recursive: true, force: true });
  if (facts.validator) report.resume({ validator: facts.validator } satisfies Resume);
  try {
    await transfer.begin('addUri', [[spec.url]], {
      ...optionsOf(folder, way, rate),
      out: FILE,
      continue: 'true',
      'max-connection-per-server': '4',
      split: '4',
      'follow-torrent': 'false',
      'follow-metalink': 'false',
      header: Object.entries(spec.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    });
    await transfer.watch(
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
    await transfer.end();
  }
  const { size: whole } = await stat(path);
  if (size !== null && whole !== size) throw new FetchFailed('source_incomplete');
  if (whole > job.maxBytes) throw new FetchFailed('source_too_large', { final: true });
  report.progress({ step: 'storing', received: whole, speed: 0, files: new Map([[0, whole]]) });
  report.kept(0, await storing.keep({ id: job.id, generation: job.generation, index: 0, path }, signal));
}

/** What holds for all that aria2 fetches for us. */
export function optionsOf(folder: string, way: Way, rate: number | null): Record<string, string> {
  return {
    dir: folder,
    'all-proxy': way.address,
    'proxy-method': 'tunnel',
    'no-netrc': 'true',
    'file-allocation': 'none',
    'allow-overwrite': 'true',
    'auto-file-renaming': 'false',
    'remote-time': 'false',
    ...(rate === null ? {} : { 'max-download-limit': String(rate) }),
  };
}

/** Whether what lies in the folder began as the same version of the same file, and can be gone on with. */
async function isSame({ validator }: SourceFacts, resume: unknown, folder: string): Promise<boolean> {
  if (!validator || (resume as Resume | null)?.validator !== validator) return false;
  // Without its notes aria2 takes a file with holes for a whole one.
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
