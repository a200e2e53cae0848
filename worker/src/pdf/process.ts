import type { PrintDone, PrintOrder } from '@bowerbird/contract';
import { print } from './print.ts';
import { createTypefaces } from './typeface.ts';

/** Starts the process that writes PDF files. Its parent sends it one sheet at a time. */
export async function start(): Promise<void> {
  const typefaces = createTypefaces();
  process.on('message', ({ id, sheet }: PrintOrder) => {
    const send = (done: PrintDone): void => void process.send?.(done);
    print(sheet, typefaces).then(
      (pdf) => send({ id, pdf: pdf.toString('base64') }),
      (error: unknown) => send({ id, error: String(error) }),
    );
  });
  process.send?.('ready');
}
