import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFacts, WebSpec } from '@bowerbird/contract';
import type { Room } from '@bowerbird/storage';
import { aborted } from '../fetch/aborted.ts';
import { FetchFailed, type FetchJob, type FetchReport } from '../fetch/engine.ts';
import type { Storing } from '../fetch/storing.ts';
import type { ProxyAccess } from './proxy.ts';
import { createDownload, type Aria2Download, type Status } from './download.ts';
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
  /** True once all bytes are durable on the disk, so that they only have to be stored. */
  readonly isWhole?: boolean;
}

/** Remains of an earlier run with the same version. */
type Remains = 'whole' | 'part' | 'nothing';

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

  async function see({ completedLength, downloadSpeed }: Status): Promise<void> {
    await room.check(1);
    const received = Number(completedLength);
    if (received > job.maxBytes) throw new FetchFailed('source_too_large', { final: true });
    report.progress({
      step: 'fetching',
      received,
      speed: Number(downloadSpeed),
      files: new Map([[0, received]]),
    });
  }

  async function receive(): Promise<void> {
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
    await download.watch(see, () => false, signal);
  }

  /** Completes the file on the disk, and records that it is complete. */
  async function complete(from: Remains): Promise<void> {
    await download.end();
    if (from === 'nothing') await rm(folder, { recursive: true, force: true });
    const version = facts.validator === undefined ? null : { validator: facts.validator };
    report.resume(version satisfies Resume | null);
    await receive().catch(async (error: unknown) => {
      await download.end();
      throw error;
    });
    if (size !== null && (await sizeOf(path)) !== size) throw new FetchFailed('source_incomplete');
    // aria2 remembers that the file is complete as long as it runs; the record outlives a restart of the machine.
    if (version && (await flush(path, signal))) report.resume({ ...version, isWhole: true } satisfies Resume);
  }

  if (job.kept.has(0) || !job.wanted.has(0)) return;
  const keptBefore = await storing.found(job.id, job.generation, 0, signal);
  if (keptBefore) return report.kept(0, keptBefore);
  if ((size ?? 0) > job.maxBytes) throw new FetchFailed('source_too_large', { final: true });
  const remains = await remainsOf(facts, job.resume, folder, download);
  if (remains !== 'whole') await complete(remains);
  const { size: whole } = await stat(path);
  if (whole > job.maxBytes) throw new FetchFailed('source_too_large', { final: true });
  report.progress({ step: 'storing', received: whole, speed: 0, files: new Map([[0, whole]]) });
  report.kept(0, await storing.keep({ id: job.id, generation: job.generation, index: 0, path }, signal));
  // Only now: until here aria2's word that the file is complete may be needed again.
  await download.end();
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

/**
 * Finds out what an earlier run left of the same version. A file that aria2 completed has no control file any more, like
 * a file with holes whose control file was lost: only aria2's own word or our record tells that it is whole.
 */
async function remainsOf(
  { validator, files }: SourceFacts,
  resume: unknown,
  folder: string,
  download: Aria2Download,
): Promise<Remains> {
  const before = resume as Resume | null;
  if (!validator || before?.validator !== validator) return 'nothing';
  const [file, control] = await Promise.all([sizeOf(join(folder, FILE)), sizeOf(join(folder, CONTROL))]);
  if (file === undefined) return 'nothing';
  if (control !== undefined) return 'part';
  const isWhole = file === files[0]!.size && (before.isWhole || (await download.isComplete()));
  return isWhole ? 'whole' : 'nothing';
}

/**
 * Makes the bytes of a file durable; returns false if the system does not allow it. Rejects with the signal's reason once
 * it is aborted, however slow the disk is.
 */
async function flush(path: string, signal: AbortSignal): Promise<boolean> {
  const flushed = sync(path).then(
    () => true,
    () => false,
  );
  return Promise.race([flushed, aborted(signal)]);
}

async function sync(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
