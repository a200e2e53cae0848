import { deflateSync } from 'node:zlib';

/** A reference to an object of the file, as it is written: `12 0 R`. */
export type Ref = `${number} 0 R`;

/** Writes a PDF file object by object (ISO 32000). */
export interface PdfFile {
  /** Reserves a number for an object that others refer to before it is known. */
  reserve(): Ref;
  /** Adds an object, under a reserved number if there is one. */
  add(content: string, ref?: Ref): Ref;
  /** Adds compressed bytes; the entries of their dictionary are `/Key value`. */
  addStream(entries: string, bytes: Uint8Array): Ref;
  /** Ends the file. */
  end(root: Ref, info: Ref): Buffer;
}

/** A text in a dictionary: UTF-16 with its mark, in hexadecimal. */
export const pdfText = (text: string): string =>
  `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

/** A time as in `D:20261130162000Z`. */
export const pdfTime = (time: number): string =>
  `(D:${new Date(time).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z)`;

export function createPdfFile(): PdfFile {
  const objects: (readonly Uint8Array[])[] = [];
  const reserve = (): Ref => `${objects.push([])} 0 R`;
  const put = (ref: Ref, ...content: readonly Uint8Array[]): Ref => {
    objects[Number.parseInt(ref, 10) - 1] = content;
    return ref;
  };
  return {
    reserve,
    add: (content, ref = reserve()) => put(ref, Buffer.from(content, 'latin1')),
    addStream(entries, bytes) {
      const packed = deflateSync(bytes, { level: 9 });
      const head = `<< ${entries} /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
      return put(reserve(), Buffer.from(head, 'latin1'), packed, Buffer.from('\nendstream', 'latin1'));
    },
    end(root, info) {
      // The second line has bytes above 127, by which programs recognize a binary file.
      const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')];
      let length = parts[0]!.length;
      const push = (part: Uint8Array): void => {
        parts.push(part);
        length += part.length;
      };
      const offsets = objects.map((content, at) => {
        const offset = length;
        push(Buffer.from(`${at + 1} 0 obj\n`, 'latin1'));
        content.forEach(push);
        push(Buffer.from('\nendobj\n', 'latin1'));
        return offset;
      });
      const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
      const size = objects.length + 1;
      parts.push(
        Buffer.from(
          `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root ${root} /Info ${info} >>\nstartxref\n${length}\n%%EOF\n`,
          'latin1',
        ),
      );
      return Buffer.concat(parts);
    },
  };
}
