import * as pdfjs from 'pdfjs-dist';
// The linter doesn't resolve imports with a query.
// eslint-disable-next-line import/default
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

/** Path of the files that PDFs request by name: character maps, standard fonts, decoders. */
const ASSETS = `/assets/pdf-${pdfjs.version}`;

export type Pdf = pdfjs.PDFDocumentProxy;
export const { TextLayer, PasswordResponses } = pdfjs;

export interface PdfOpening {
  readonly document: Promise<Pdf>;
  readonly close: () => void;
}

/** Opens a PDF by ranges. Ignores its scripts, forms and links; calls `askPassword` if it is encrypted. */
export function openPdf(
  url: string,
  askPassword: (answer: (password: string) => void, isWrong: boolean) => void,
): PdfOpening {
  pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;
  const task = pdfjs.getDocument({
    url,
    cMapUrl: `${ASSETS}/cmaps/`,
    standardFontDataUrl: `${ASSETS}/standard_fonts/`,
    wasmUrl: `${ASSETS}/wasm/`,
    enableXfa: false,
    stopAtErrors: false,
    disableAutoFetch: true,
    disableStream: true,
    maxImageSize: 64 * 1024 * 1024,
    verbosity: 0,
  });
  task.onPassword = (answer: (password: string) => void, reason: number) =>
    askPassword(answer, reason === PasswordResponses.INCORRECT_PASSWORD);
  return { document: task.promise, close: () => void task.destroy().catch(() => undefined) };
}
