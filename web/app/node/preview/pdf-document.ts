import * as pdfjs from 'pdfjs-dist';
// A query is no module to the linter.
// eslint-disable-next-line import/default
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

/** Character maps, standard fonts and decoders of the package, each loaded from our own assets when a file needs it. */
const ASSETS = Object.fromEntries(
  Object.entries({
    ...import.meta.glob<string>('../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
    }),
    ...import.meta.glob<string>('../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
    }),
    ...import.meta.glob<string>('../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg,qcms_bg}.wasm', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
    }),
  }).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
);

class OwnAssets {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const url = ASSETS[filename];
    if (url === undefined) throw new Error(`no asset ${filename}`);
    const reply = await fetch(url);
    if (!reply.ok) throw new Error(`status ${reply.status}`);
    return new Uint8Array(await reply.arrayBuffer());
  }
}

export type Pdf = pdfjs.PDFDocumentProxy;
export type PdfPage = pdfjs.PDFPageProxy;
export const { TextLayer, PasswordResponses } = pdfjs;

export interface PdfOpening {
  readonly document: Promise<Pdf>;
  readonly close: () => void;
}

/** Opens a PDF by ranges. Scripts, forms and links in it are not looked at; `askPassword` is called where it is locked. */
export function openPdf(
  url: string,
  askPassword: (answer: (password: string) => void, isWrong: boolean) => void,
): PdfOpening {
  pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;
  const task = pdfjs.getDocument({
    url,
    BinaryDataFactory: OwnAssets,
    useWorkerFetch: false,
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
