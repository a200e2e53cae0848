import { lazy, Suspense } from 'react';
import type { EditorProps } from './editor.tsx';

const LazyEditor = lazy(() => import('./editor.tsx'));

/** Editor of a text file; the code is loaded when the first one is edited. */
export function Editor(props: EditorProps) {
  return (
    <Suspense>
      <LazyEditor {...props} />
    </Suspense>
  );
}
