import { BasicLayout } from './basic-layout.tsx';
import { SimpleLayout } from './simple-layout.tsx';

/** Policies and activities use the layout of all public pages, and add their own parts themselves. */
const LAYOUTS = { basic: BasicLayout, policy: BasicLayout, activity: BasicLayout, simple: SimpleLayout };
const DEFAULT = LAYOUTS.basic;

/**
 * Returns the layout of that name, or the default. A page names its own: `export const handle = { layout:
 * 'simple' }`.
 */
export function layoutNamed(name: unknown): typeof DEFAULT {
  return typeof name === 'string' && Object.hasOwn(LAYOUTS, name)
    ? LAYOUTS[name as keyof typeof LAYOUTS]
    : DEFAULT;
}
