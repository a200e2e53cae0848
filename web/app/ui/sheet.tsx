import { Dialog, type DialogProps } from './dialog.tsx';

/** A dialog that rises from the bottom on phones. */
export function Sheet(props: Omit<DialogProps, 'sheet' | 'compact'>) {
  return <Dialog {...props} sheet />;
}
