import { lazy, Suspense } from 'react';
import type { HistoryDialogProps } from './history-dialog.tsx';

const LazyHistory = lazy(() => import('./history-dialog.tsx'));

/** Earlier versions of a file; the code is loaded when they are shown for the first time. */
export function HistoryDialog(props: HistoryDialogProps) {
  return (
    <Suspense>
      <LazyHistory {...props} />
    </Suspense>
  );
}
