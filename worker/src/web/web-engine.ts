import type { FetchSpec, WebSpec } from '@bowerbird/contract';
import { FetchFailed, placeOf, type Engine, type FetchJob, type FetchReport } from '../fetch/engine.ts';
import { createHttpSession, LedToMagnet } from './http-session.ts';
import { requestFirstByte } from './first-request.ts';
import { DEFAULT_TIMEOUTS } from './timeouts.ts';
import { TransientError } from './fetch-errors.ts';
import { factsOf } from './source.ts';
import { factsOfMagnet, seemsTorrent, torrentBehind } from './torrent-behind.ts';
import { runWebJob, type WebDeps } from './web-job.ts';

/** Fetches files from web servers. */
export function createWebEngine(deps: WebDeps): Engine {
  const { storage, rate, readTorrent, timeouts = DEFAULT_TIMEOUTS } = deps;
  const closing = new AbortController();

  return {
    async inspect(spec, signal) {
      const web = webSpec(spec);
      const session = createHttpSession(web, timeouts, 1);
      const requested = new URL(web.url);
      const reading = { timeouts, rate, signal: AbortSignal.any([signal, closing.signal]) };
      try {
        const opened = await requestFirstByte(session, requested, reading.signal);
        opened.response.discard();
        const torrent =
          seemsTorrent(opened, requested) && (await torrentBehind(session, requested, reading, readTorrent));
        return torrent || factsOf(opened.source);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof LedToMagnet) return factsOfMagnet(error.magnet);
        throw error instanceof TransientError ? error.failure : error;
      } finally {
        await session.close();
      }
    },

    async fetch(job: FetchJob, report: FetchReport, signal: AbortSignal) {
      const web = webSpec(job.spec);
      const limited = withinTime(timeouts.totalMs, AbortSignal.any([signal, closing.signal]));
      try {
        await runWebJob(web, job, report, { ...deps, timeouts, signal: limited.signal });
      } catch (error) {
        signal.throwIfAborted();
        throw limited.isOver() ? new FetchFailed('source_timed_out', { cause: error }) : error;
      } finally {
        limited.end();
      }
    },

    // A kept blob may belong to a member; unreferenced ones are garbage collected.
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
