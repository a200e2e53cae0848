import { DEFAULT_ORDER, type Order, orderName, parseOrder } from '@bowerbird/contract';
import { parseCookies } from '#app/browser/cookies.ts';
import { type ColumnName, DEFAULT_COLUMNS, isDefault, readColumns } from './column-name.ts';

export type ViewType = 'list' | 'grid';

/** Display settings for files: stored on the device, and in cookies for the server's first paint. */
export interface SharedDisplayMode {
  readonly order: Order;
  readonly pinFoldersTop: boolean;
  readonly viewType: ViewType;
}

export interface DisplayMode extends SharedDisplayMode {
  /** True if one order applies to all folders, false if each folder keeps its own. */
  readonly orderSettingGlobal: boolean;
  readonly viewSettingGlobal: boolean;
  /** Columns of lists beside the name, in their order; the same in all folders. */
  readonly columns: readonly ColumnName[];
  /** True if rows of lists are low. */
  readonly isCompact: boolean;
}

export const DEFAULT_DISPLAY_MODE: DisplayMode = {
  order: DEFAULT_ORDER,
  pinFoldersTop: true,
  orderSettingGlobal: true,
  viewType: 'grid',
  viewSettingGlobal: true,
  columns: DEFAULT_COLUMNS,
  isCompact: false,
};

export type DisplayScope = 'global' | 'shared';

export const DISPLAY_MODE_COOKIES = {
  global: 'pp_global_display_mode',
  shared: 'pp_shared_display_mode',
  view: 'pp_ssr_view_type',
} as const;

/** The stored record, with the names of the specification. */
interface Kept {
  readonly orderType: string;
  readonly pinFoldersTop: boolean;
  readonly orderSettingGlobal?: boolean;
  readonly viewType: ViewType;
  readonly viewSettingGlobal?: boolean;
  /** Left out if they are the default ones. */
  readonly columns?: readonly ColumnName[];
  readonly compactRows?: boolean;
}

export function keptMode(mode: DisplayMode, scope: DisplayScope): Kept {
  const shared = {
    orderType: orderName(mode.order),
    pinFoldersTop: mode.pinFoldersTop,
    viewType: mode.viewType,
  };
  return scope === 'shared'
    ? shared
    : {
        ...shared,
        orderSettingGlobal: mode.orderSettingGlobal,
        viewSettingGlobal: mode.viewSettingGlobal,
        ...(isDefault(mode.columns) ? {} : { columns: mode.columns }),
        ...(mode.isCompact ? { compactRows: true } : {}),
      };
}

/** Reads a stored record; fields that are not understood fall back to the default. */
export function readMode(value: unknown, defaultMode: DisplayMode = DEFAULT_DISPLAY_MODE): DisplayMode {
  const kept = (typeof value === 'object' && value !== null ? value : {}) as Record<keyof Kept, unknown>;
  const flag = (name: keyof Kept, otherwise: boolean) =>
    typeof kept[name] === 'boolean' ? kept[name] : otherwise;
  return {
    order:
      typeof kept.orderType === 'string'
        ? (parseOrder(kept.orderType) ?? defaultMode.order)
        : defaultMode.order,
    pinFoldersTop: flag('pinFoldersTop', defaultMode.pinFoldersTop),
    orderSettingGlobal: flag('orderSettingGlobal', defaultMode.orderSettingGlobal),
    viewType: kept.viewType === undefined ? defaultMode.viewType : viewTypeOf(kept.viewType),
    viewSettingGlobal: flag('viewSettingGlobal', defaultMode.viewSettingGlobal),
    columns: kept.columns === undefined ? defaultMode.columns : readColumns(kept.columns),
    isCompact: flag('compactRows', defaultMode.isCompact),
  };
}

/** Converts to list or grid; anything else becomes grid. */
export function viewTypeOf(value: unknown): ViewType {
  return value === 'list' ? 'list' : 'grid';
}

/** Reads the mode from a `Cookie` header or `document.cookie`; `undefined` if none is stored there. */
export function modeFromCookies(
  cookies: string | null | undefined,
  scope: DisplayScope,
): DisplayMode | undefined {
  const kept = parseCookies(cookies ?? '')[DISPLAY_MODE_COOKIES[scope]];
  if (kept === undefined) return undefined;
  try {
    return readMode(JSON.parse(kept));
  } catch {
    return DEFAULT_DISPLAY_MODE;
  }
}

/** Mode of the first paint: the stored mode, with the view that the reader saw last. */
export function firstPaintMode(cookies: string | null | undefined, scope: DisplayScope): DisplayMode {
  const mode = modeFromCookies(cookies, scope) ?? DEFAULT_DISPLAY_MODE;
  const seen = parseCookies(cookies ?? '')[DISPLAY_MODE_COOKIES.view];
  return scope === 'global' && !mode.viewSettingGlobal && seen !== undefined
    ? { ...mode, viewType: viewTypeOf(seen) }
    : mode;
}
