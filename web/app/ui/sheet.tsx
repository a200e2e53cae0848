import { Dialog, type DialogProps } from './dialog.tsx';

/** Dialog that slides up from the bottom on phones. */
export function Sheet(props: Omit<DialogProps, 'sheet' | 'compact'>) {
  return <Dialog {...props} sheet />;
}
