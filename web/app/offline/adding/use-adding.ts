import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { isApiFailure, taskApi, readMagnet } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { randomHex } from '#app/browser/device.ts';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { useFailureToast } from '#app/page/use-failure-toast.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { isDead, type Found } from '../links/inspector.ts';
import { parseLinks, withoutLink, type ParsedLink } from '../links/parse-links.ts';
import { torrentText } from '../links/torrent-file.ts';
import { useInspector } from '../links/use-inspector.ts';
import type { AddRequest, TargetFolder } from '../offline-frame.ts';
import { TRANSFERS } from '../transfers/transfer-cache.ts';
import { orderAll, type Order } from './add-links.ts';
import { NO_OPTIONS, orderOptions, type TypedOptions } from './add-options.tsx';

/** Links that are inspected and shown; the rest is only counted, but downloaded all the same. */
export const SHOWN_LINKS = 100;
const TYPING_MS = 600;

/** Download in the dialog: a link in the text, or a .torrent file beside it. */
export interface Wanted {
  readonly key: string;
  readonly name: string;
  readonly url: string;
  readonly link: ParsedLink | undefined;
}

/** Deduplicates: a .torrent file that was added twice, or that the text has a link for, is downloaded once. */
function onceEach(all: readonly Wanted[]): Wanted[] {
  const seen = new Set<string>();
  return all.filter(({ key, url }) => {
    const infoHash = readMagnet(url)?.infoHash;
    const name = infoHash === undefined ? key : `btih:${infoHash}`;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** State of the dialog: collected links, the results of their inspection, and their conversion to tasks. */
export function useAdding(
  request: AddRequest,
  /** `isAll`: nothing is left in the dialog. */
  onStarted: (tasks: readonly string[], isAll: boolean) => void,
) {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const errorText = useErrorText();
  const fail = useFailureToast();
  const { origin } = usePageFrame();
  const inspector = useInspector();
  const [text, setText] = useState(request.text ?? '');
  const [torrents, setTorrents] = useState<readonly { key: string; name: string }[]>([]);
  const [target, setTarget] = useState<TargetFolder | undefined>(request.target);
  const [options, setOptions] = useState<TypedOptions>(NO_OPTIONS);
  const [failures, setFailures] = useState<ReadonlyMap<string, unknown>>(new Map());
  const [progress, setProgress] = useState<{ done: number; count: number }>();
  const [hasStarted, setStarted] = useState(false);
  const [cameFromFile, setCameFromFile] = useState(false);
  const lastTorrent = useRef(0);
  const attempts = useRef(new Map<string, string>());
  const isTyping = useRef(false);

  const parsed = useMemo(() => parseLinks(text, origin), [text, origin]);
  useEffect(() => {
    if (!inspector) return undefined;
    const links = parsed.links.slice(0, SHOWN_LINKS);
    // A link that is still being typed is not inspected yet.
    const timer = setTimeout(() => inspector.look(links), isTyping.current ? TYPING_MS : 0);
    return () => clearTimeout(timer);
  }, [inspector, parsed]);

  const wanted = onceEach([
    ...parsed.links.map((link) => ({ key: link.key, name: link.name, url: link.url, link })),
    ...torrents.map(({ key, name }) => ({ key, name, url: inspector?.get(key)?.url ?? '', link: undefined })),
  ]);
  const find = (key: string): Found | undefined => inspector?.get(key);
  const hasHeaders = Object.keys(orderOptions(options).headers).length > 0;
  /** Links to start with one click: excludes those known to fail, and torrents with no file chosen. */
  const startable = wanted.filter(
    ({ key, url }) => url !== '' && !isDead(find(key), hasHeaders) && find(key)?.tree?.totals().chosen !== 0,
  );

  const addTorrents = async (files: readonly File[]): Promise<void> => {
    for (const file of files) {
      lastTorrent.current += 1;
      const key = `torrent:${lastTorrent.current}`;
      try {
        const base64 = await torrentText(file);
        if (base64 === undefined || !inspector) {
          toast.show({ text: t('error.torrent_invalid'), tone: 'danger' });
          continue;
        }
        setTorrents((before) => [...before, { key, name: file.name }]);
        await inspector.lookInto(key, file.name, base64);
      } catch (error) {
        setTorrents((before) => before.filter((one) => one.key !== key));
        if (!(error instanceof DOMException))
          toast.show({ text: `${file.name}: ${errorText(error)}`, tone: 'danger' });
      }
    }
  };
  const bringTorrents = useEffectEvent(addTorrents);
  useEffect(() => {
    if (inspector && request.torrents) void bringTorrents(request.torrents);
  }, [inspector, request.torrents]);

  const remove = ({ key, link }: Wanted): void => {
    if (link) setText(withoutLink(text, link));
    else setTorrents(torrents.filter((one) => one.key !== key));
    inspector?.forget(key);
  };

  /** A torrent of which only some files are wanted must be fully inspected before they can be named. */
  const orderOf = async ({ key, url }: Wanted): Promise<Order> => {
    const found = find(key);
    const isPart = found?.tree !== undefined && found.tree.chosenIndexes() !== undefined;
    if (isPart) await inspector!.whole(key);
    return {
      key,
      url: found?.state === 'known' ? find(key)!.url : url,
      files: isPart ? find(key)?.tree?.chosenIndexes() : undefined,
    };
  };

  const start = async (): Promise<void> => {
    const chosen = startable;
    if (progress || chosen.length === 0) return;
    setProgress({ done: 0, count: chosen.length });
    try {
      const orders: Order[] = [];
      for (const one of chosen) orders.push(await orderOf(one));
      const { tasks, failures: refused } = await orderAll(
        call,
        orders,
        {
          ...orderOptions(options),
          folderId: target?.id,
          from: cameFromFile ? 'file' : (request.source ?? 'manual'),
        },
        {
          keyOf: ({ key }) => {
            const known = attempts.current.get(key) ?? randomHex();
            attempts.current.set(key, known);
            return known;
          },
          onDone: (done) => setProgress({ done, count: orders.length }),
        },
      );
      // Only an attempt that may have succeeded unnoticed keeps its key when it is sent again.
      for (const [key, error] of refused)
        if (!isApiFailure(error) || error.id !== 'unreachable') attempts.current.delete(key);
      if (request.replaces !== undefined && tasks.length > 0)
        await call(taskApi.remove, {
          query: { task_ids: request.replaces, delete_files: 'false' },
        }).catch(() => undefined);
      void client.invalidateQueries({ queryKey: TRANSFERS });
      void client.invalidateQueries({ queryKey: ALLOWANCE });
      if (refused.size === 0 && chosen.length === wanted.length) {
        onStarted(tasks, true);
        return;
      }
      keepUnstarted(chosen, refused);
      if (tasks.length > 0) {
        setStarted(true);
        onStarted(tasks, false);
        toast.show({ text: t('offline.add.someStarted', { count: tasks.length }), tone: 'success' });
      }
    } catch (error) {
      fail(error);
    }
    setProgress(undefined);
  };

  const keepUnstarted = (chosen: readonly Wanted[], refused: ReadonlyMap<string, unknown>): void => {
    let left = text;
    // From the end, so that the positions of earlier links stay valid.
    for (const { key, link } of chosen.toReversed())
      if (link && !refused.has(key)) left = withoutLink(left, link);
    setText(left);
    const started = new Set(chosen.filter(({ key }) => !refused.has(key)).map(({ key }) => key));
    setTorrents((before) => before.filter(({ key }) => !started.has(key)));
    setFailures(refused);
  };

  return {
    text,
    parsed,
    wanted,
    startable,
    /** True if some were started and others are left. */
    hasStarted,
    find,
    /** Inspects a link again. */
    lookAgain({ key, link }: Wanted) {
      if (!link) return;
      inspector?.forget(key);
      inspector?.look([link]);
    },
    write(changed: string, how: 'typed' | 'brought') {
      isTyping.current = how === 'typed' && Math.abs(changed.length - text.length) < 3;
      if (how === 'brought') setCameFromFile(true);
      setText(changed);
    },
    addTorrents: (files: readonly File[]) => void addTorrents(files),
    remove,
    whole: (key: string) => void inspector?.whole(key).catch(() => undefined),
    failureOf: (key: string): string | undefined =>
      failures.has(key) ? errorText(failures.get(key)) : undefined,
    /** Errors with which links were refused, each once. */
    refusals: [
      ...new Set([...failures.values()].flatMap((error) => (isApiFailure(error) ? [error.id] : []))),
    ],
    target,
    setTarget,
    options,
    setOptions,
    progress,
    start: () => void start(),
  };
}

export const ALLOWANCE = ['allowance'] as const;
export type Adding = ReturnType<typeof useAdding>;
