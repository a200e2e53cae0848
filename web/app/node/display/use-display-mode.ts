import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Order } from '@bowerbird/contract';
import { writeCookie } from '#app/browser/cookies.ts';
import { deviceId } from '#app/browser/device.ts';
import {
  DEFAULT_DISPLAY_MODE,
  DISPLAY_MODE_COOKIES,
  type DisplayMode,
  type DisplayScope,
  keptMode,
  modeFromCookies,
  readMode,
  type ViewType,
} from './display-mode.ts';
import { readRecord, writeRecord } from './display-store.ts';

export interface DisplayModeControl extends DisplayMode {
  /** Changes several settings at once. */
  readonly change: (part: Partial<DisplayMode>) => void;
  readonly setOrder: (order: Order) => void;
  readonly setView: (view: ViewType) => void;
  readonly setPinFoldersTop: (pin: boolean) => void;
  /** Sets one order (view) for all folders, or one for each folder from now on. */
  readonly setOrderGlobal: (isGlobal: boolean) => void;
  readonly setViewGlobal: (isGlobal: boolean) => void;
}

const YEAR_S = 365 * 24 * 3600;

/**
 * Display mode of a listing. `initial` is the one that the server rendered with (`firstPaintMode`); the browser
 * then uses the stored one. If it can't be stored, the next visit has the default again.
 */
export function useDisplayMode(options: {
  readonly scope: DisplayScope;
  readonly initial?: DisplayMode | undefined;
  readonly folderId?: string | undefined;
}): DisplayModeControl {
  const { scope, initial = DEFAULT_DISPLAY_MODE, folderId } = options;
  const [global, setGlobal] = useState(initial);
  const [own, setOwn] = useState<{ folderId: string | undefined; mode: Partial<DisplayMode> }>({
    folderId,
    mode: {},
  });
  const ownMode = own.folderId === folderId ? own.mode : undefined;

  // Restores cookies that were cleared while the device storage remains.
  useEffect(() => {
    if (modeFromCookies(document.cookie, scope)) return;
    void readRecord(keyOf(scope)).then((kept) => {
      if (kept !== undefined) setGlobal(readMode(kept));
    });
  }, [scope]);

  const hasOwn =
    scope === 'global' && folderId !== undefined && !(global.orderSettingGlobal && global.viewSettingGlobal);
  useEffect(() => {
    if (!hasOwn) return undefined;
    let isCurrent = true;
    void readRecord(`folder_${folderId}`).then((kept) => {
      if (isCurrent) setOwn({ folderId, mode: kept === undefined ? {} : readMode(kept) });
    });
    return () => {
      isCurrent = false;
    };
  }, [hasOwn, folderId]);

  const mode = useMemo(() => merged(global, hasOwn ? ownMode : undefined), [global, hasOwn, ownMode]);

  useEffect(() => keepCookie(DISPLAY_MODE_COOKIES.view, mode.viewType), [mode.viewType]);

  const change = useCallback(
    (part: Partial<DisplayMode>) => {
      const isOwn =
        folderId !== undefined &&
        ((part.order !== undefined && !mode.orderSettingGlobal) ||
          (part.viewType !== undefined && !mode.viewSettingGlobal));
      if (isOwn) {
        setOwn({ folderId, mode: { ...ownMode, ...part } });
        void writeRecord(`folder_${folderId}`, keptMode({ ...mode, ...part }, scope));
        return;
      }
      const next = { ...global, ...part };
      setGlobal(next);
      keepCookie(DISPLAY_MODE_COOKIES[scope], JSON.stringify(keptMode(next, scope)));
      void writeRecord(keyOf(scope), keptMode(next, scope));
    },
    [folderId, global, mode, ownMode, scope],
  );

  return useMemo(
    () => ({
      ...mode,
      change,
      setOrder: (order) => change({ order }),
      setView: (viewType) => change({ viewType }),
      setPinFoldersTop: (pinFoldersTop) => change({ pinFoldersTop }),
      setOrderGlobal: (orderSettingGlobal) => change({ orderSettingGlobal }),
      setViewGlobal: (viewSettingGlobal) => change({ viewSettingGlobal }),
    }),
    [mode, change],
  );
}

function merged(global: DisplayMode, own: Partial<DisplayMode> | undefined): DisplayMode {
  return {
    ...global,
    ...(own?.order && !global.orderSettingGlobal ? { order: own.order } : {}),
    ...(own?.viewType && !global.viewSettingGlobal ? { viewType: own.viewType } : {}),
  };
}

const keyOf = (scope: DisplayScope): string => `${scope}_${deviceId()}`;

const keepCookie = (name: string, value: string) =>
  writeCookie(name, value, { maxAge: YEAR_S, sameSite: 'lax' });
