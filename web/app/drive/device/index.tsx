import { lazy, Suspense, type ComponentProps } from 'react';

const Later = lazy(() => import('./device-dialog.tsx'));

/** Dialog that sends a file to another device; loaded when it is opened. */
export function DeviceDialog(props: ComponentProps<typeof Later>) {
  return (
    <Suspense>
      <Later {...props} />
    </Suspense>
  );
}
