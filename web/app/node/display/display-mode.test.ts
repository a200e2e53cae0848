import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  DEFAULT_DISPLAY_MODE,
  type DisplayMode,
  firstPaintMode,
  keptMode,
  modeFromCookies,
  readMode,
  viewTypeOf,
} from './display-mode.ts';

const cookieOf = (name: string, value: unknown) =>
  `other=1; ${name}=${encodeURIComponent(JSON.stringify(value))}; last=2`;

it('starts with the newest first, folders on top, as a grid, everywhere', () => {
  expect(keptMode(DEFAULT_DISPLAY_MODE, 'global')).toEqual({
    orderType: 'mod_desc',
    pinFoldersTop: true,
    orderSettingGlobal: true,
    viewType: 'grid',
    viewSettingGlobal: true,
  });
});

it('does not apply global settings to shared folders', () => {
  expect(keptMode(DEFAULT_DISPLAY_MODE, 'shared')).toEqual({
    orderType: 'mod_desc',
    pinFoldersTop: true,
    viewType: 'grid',
  });
});

it('reads any view but a list as a grid', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => viewTypeOf(value) === (value === 'list' ? 'list' : 'grid')),
  );
});

it('reads any value without failing', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string(), (value, text) => {
      expect(readMode(value).viewType).toMatch(/^(list|grid)$/);
      expect(firstPaintMode(`pp_global_display_mode=${text}`, 'global').order).toBeDefined();
    }),
  );
  expect(modeFromCookies('pp_global_display_mode=%', 'global')).toBeUndefined();
  expect(modeFromCookies('pp_global_display_mode=nonsense', 'global')).toEqual(DEFAULT_DISPLAY_MODE);
});

it('reads saved settings from cookies and from storage', () => {
  const mode: DisplayMode = {
    order: { key: 'name', descending: true },
    pinFoldersTop: false,
    orderSettingGlobal: false,
    viewType: 'list',
    viewSettingGlobal: false,
    columns: ['size', 'type'],
    isCompact: true,
  };
  const kept = keptMode(mode, 'global');
  expect(readMode(kept)).toEqual(mode);
  expect(modeFromCookies(cookieOf('pp_global_display_mode', kept), 'global')).toEqual(mode);
  expect(modeFromCookies('', 'shared')).toBeUndefined();
});

it('renders the most recent view first if every folder has its own', () => {
  const own = cookieOf('pp_global_display_mode', { viewType: 'grid', viewSettingGlobal: false });
  expect(firstPaintMode(`${own}; pp_ssr_view_type=list`, 'global').viewType).toBe('list');
  const all = cookieOf('pp_global_display_mode', { viewType: 'grid', viewSettingGlobal: true });
  expect(firstPaintMode(`${all}; pp_ssr_view_type=list`, 'global').viewType).toBe('grid');
  expect(firstPaintMode(null, 'shared')).toEqual(DEFAULT_DISPLAY_MODE);
});
