/** Line of text at a height of the page, or a drawing in PDF operators. */
export interface Page {
  readonly title: string;
  readonly lines: readonly string[];
  readonly drawing?: string;
}

const escaped = (text: string): string => text.replace(/[\\()]/g, (character) => `\\${character}`);

function content({ title, lines, drawing = '' }: Page): string {
  const words = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n');
  return `${drawing}\nBT /Bold 24 Tf 72 760 Td (${escaped(title)}) Tj ET\nBT /Plain 11 Tf 16 TL 72 724 Td\n${words}\nET`;
}

/** Creates a PDF file from pages of plain Latin text. */
export function pdf(title: string, pages: readonly Page[]): Buffer {
  const font = (name: string): string =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const numbers = pages.map((_, at) => 6 + at * 2);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title (${escaped(title)}) /Producer (Bowerbird) >>`,
    ...pages.flatMap((page, at) => {
      const stream = content(page);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${numbers[at]! + 1} 0 R /Resources << /Font << /Plain 3 0 R /Bold 4 0 R >> >> >>`,
        `<< /Length ${Buffer.byteLength(stream, 'latin1')} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.7\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
