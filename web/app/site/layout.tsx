import { useMatches } from 'react-router';
import { BasicLayout } from './basic-layout.tsx';
import { SimpleLayout } from './simple-layout.tsx';

const LAYOUTS = { basic: BasicLayout, simple: SimpleLayout };
const DEFAULT = LAYOUTS.basic;

/** The layout of that name; the default where there is none. A page names its own: `export const handle = { layout: 'simple' }`. */
export function layoutNamed(name: unknown): typeof DEFAULT {
  return typeof name === 'string' && Object.hasOwn(LAYOUTS, name)
    ? LAYOUTS[name as keyof typeof LAYOUTS]
    : DEFAULT;
}

export default function Layout() {
  const handle = useMatches().at(-1)?.handle as { layout?: string } | undefined;
  const Frame = layoutNamed(handle?.layout);
  return <Frame />;
}
