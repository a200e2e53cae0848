import type { FetchSpec, WebSpec } from '@bowerbird/contract';
import { FetchFailed, placeOf, type Engine, type FetchJob, type FetchReport } from '../fetch/engine.ts';
import { createAsking, LedToMagnet } from './asking.ts';
import { openGlance } from './opening.ts';
import { PATIENCE } from './patience.ts';
import { Setback } from './setback.ts';
import { factsOf } from './source.ts';
import { factsOfMagnet, seemsTorrent, torrentBehind } from './torrent-behind.ts';
import { runWebJob, type WebDeps } from './web-job.ts';

/** Fetches files from web servers. */
export function createWebEngine(deps: WebDeps): Engine {
  const { storage, rate, readTorrent, patience = PATIENCE } = deps;
  const closing = new AbortController();

  return {
    async inspect(spec, signal) {
      const web = webSpec(spec);
      const asking = createAsking(web, patience, 1);
      const requested = new URL(web.url);
      const reading = { patience, rate, signal: AbortSignal.any([signal, closing.signal]) };
      try {
        const opened = await openGlance(asking, requested, reading.signal);
        opened.answer.letGo();
        const torrent =
          seemsTorrent(opened, requested) && (await torrentBehind(asking, requested, reading, readTorrent));
        return torrent || factsOf(opened.source);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof LedToMagnet) return factsOfMagnet(error.magnet);
        throw error instanceof Setback ? error.failure : error;
      } finally {
        await asking.close();
      }
    },

    async fetch(job: FetchJob, report: FetchReport, signal: AbortSignal) {
      const web = webSpec(job.spec);
      const patient = withinTime(patience.totalMs, AbortSignal.any([signal, closing.signal]));
      try {
        await runWebJob(web, job, report, { ...deps, patience, signal: patient.signal });
      } catch (error) {
        signal.throwIfAborted();
        throw patient.isOver() ? new FetchFailed('source_timed_out', { cause: error }) : error;
      } finally {
        patient.end();
      }
    },

    // What was kept is somebody's file, or the collector's who looks for strays.
    forget: (id, generation) => storage.discard(placeOf(id, generation, 0).staging),

    async close() {
      closing.abort();
    },
  };
}

function webSpec(spec: FetchSpec): WebSpec {
  if (spec.kind !== 'web' || !URL.canParse(spec.url) || !/^https?:$/.test(new URL(spec.url).protocol))
    throw new FetchFailed('link_unsupported', { final: true });
  return spec;
}

function withinTime(
  ms: number,
  signal: AbortSignal,
): { signal: AbortSignal; isOver(): boolean; end(): void } {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), ms);
  return {
    signal: AbortSignal.any([signal, over.signal]),
    isOver: () => over.signal.aborted,
    end: () => clearTimeout(timer),
  };
}
