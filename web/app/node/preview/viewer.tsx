import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { type MessageKey, useT } from '#app/i18n/t.ts';
import { Spinner } from '#app/ui/spinner.tsx';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';
import { Unavailable } from './unavailable.tsx';
import { ViewerBoundary } from './viewer-boundary.tsx';
import { unshownKind, type ViewerKind, viewerKind } from './viewer-kind.ts';
import type { ViewerProps } from './viewer-props.ts';

/** Each viewer is loaded when the first file of its kind is opened. */
const VIEWERS: Readonly<Record<Exclude<ViewerKind, 'none'>, ComponentType<ViewerProps>>> = {
  image: lazy(() => import('./image-viewer.tsx')),
  video: lazy(() => import('./video-viewer.tsx')),
  audio: lazy(() => import('./audio/audio-viewer.tsx')),
  pdf: lazy(() => import('./pdf-viewer.tsx')),
  markdown: lazy(() => import('./markdown-viewer.tsx')),
  text: lazy(() => import('./text-viewer.tsx')),
  table: lazy(() => import('./table/table-viewer.tsx')),
};

const UNSHOWN: Readonly<Record<ReturnType<typeof unshownKind>, MessageKey>> = {
  office: 'node.preview.office',
  model: 'node.preview.model',
  photo: 'node.preview.photo',
  other: 'node.preview.none',
};

/** Kinds with a picture or player in the first paint already; the others need a browser to render. */
const SERVED: ReadonlySet<ViewerKind> = new Set(['image', 'video', 'audio']);

/**
 * Viewer of a file by its kind. Nothing in the file runs: pictures are `<img>`, HTML pages and SVG source are
 * text.
 */
export function Viewer(props: ViewerProps): ReactNode {
  const t = useT();
  const kind = viewerKind(props.file);
  const isBrowser = useIsBrowser();
  if (kind === 'none') return <Unavailable file={props.file} text={t(UNSHOWN[unshownKind(props.file)])} />;
  const waiting = <Spinner label={t('node.preview.loading')} className="m-auto size-8 text-ink-2" />;
  if (!isBrowser && !SERVED.has(kind)) return waiting;
  const One = VIEWERS[kind];
  return (
    <ViewerBoundary
      key={props.file.id}
      fallback={<Unavailable file={props.file} text={t('node.preview.failed')} />}
    >
      <Suspense fallback={waiting}>
        <One {...props} />
      </Suspense>
    </ViewerBoundary>
  );
}
