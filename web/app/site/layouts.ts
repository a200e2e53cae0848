import { BasicLayout } from './basic-layout.tsx';
import { SimpleLayout } from './simple-layout.tsx';

/** Policies and activities stand in the frame of all public pages; what is their own they bring along. */
const LAYOUTS = { basic: BasicLayout, policy: BasicLayout, activity: BasicLayout, simple: SimpleLayout };
const DEFAULT = LAYOUTS.basic;

/** The layout of that name; the default where there is none. A page names its own: `export const handle = { layout: 'simple' }`. */
export function layoutNamed(name: unknown): typeof DEFAULT {
  return typeof name === 'string' && Object.hasOwn(LAYOUTS, name)
    ? LAYOUTS[name as keyof typeof LAYOUTS]
    : DEFAULT;
}
