import { createRequire } from 'node:module';
import * as pdfjs from 'pdfjs-dist';

/** Content of a PDF file, as programs read it. */
export interface ReadPdf {
  readonly title: string;
  readonly language: string;
  /** Width and height of the first page in points. */
  readonly size: readonly [number, number];
  readonly pages: number;
  /** The text in reading order, with its lines joined by line feeds. */
  readonly text: string;
  /** Roles of the parts of the page, in reading order. */
  readonly roles: readonly string[];
}

interface Node {
  readonly role?: string;
  readonly children?: readonly Node[];
}

const rolesOf = ({ role, children = [] }: Node): string[] => [
  ...(role === undefined || role === 'Root' ? [] : [role]),
  ...children.flatMap(rolesOf),
];

/** Reads a PDF file with the library that shows PDF files in the browser. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  pdfjs.GlobalWorkerOptions.workerSrc = createRequire(import.meta.url).resolve(
    'pdfjs-dist/build/pdf.worker.min.mjs',
  );
  const task = pdfjs.getDocument({ data: Uint8Array.from(bytes), useSystemFonts: false, verbosity: 0 });
  const document = await task.promise;
  try {
    const page = await document.getPage(1);
    const { items } = await page.getTextContent();
    const { info } = await document.getMetadata();
    const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
    return {
      title: (info as { Title?: string }).Title ?? '',
      language: (info as { Language?: string }).Language ?? '',
      size: [right - left, top - bottom],
      pages: document.numPages,
      text: items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''),
      roles: rolesOf((await page.getStructTree()) as Node),
    };
  } finally {
    await task.destroy();
  }
}
