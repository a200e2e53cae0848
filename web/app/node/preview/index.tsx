import { lazy, Suspense } from 'react';
import type { PreviewProps } from './preview.tsx';

export type { PreviewProps } from './preview.tsx';
export { SinglePreview, type SinglePreviewProps } from './single-preview.tsx';

const loadPreview = () => import('./preview.tsx');
const LazyPreview = lazy(loadPreview);

/** Preview of a file over the list; its code is loaded when the first one is opened. */
export function Preview(props: PreviewProps) {
  return (
    <Suspense>
      <LazyPreview {...props} />
    </Suspense>
  );
}
