import { createEmbeddedFont, inThousandths } from './embedded-font.ts';
import { createPdfFile, pdfText, pdfTime, type Ref } from './pdf-file.ts';
import type { Letter, Weight } from './typeface.ts';

/** Size of an A4 page in points. */
export const PAGE = { width: 595.28, height: 841.89 };

export type Color = readonly [red: number, green: number, blue: number];

export interface Ink {
  readonly size: number;
  readonly weight: Weight;
  readonly color: Color;
}

/** Roles of parts of the page, for programs that read it aloud. */
export type Role = 'H1' | 'P' | 'Table' | 'TR' | 'TH' | 'TD';

/** Draws one page. Positions are in points from the top left corner, those of texts at the baseline. */
export interface Canvas {
  /** Marks everything that is drawn inside with a role; parts are read in the order in which they're drawn. */
  tag(role: Role, draw: () => void): void;
  /** Begins or ends a part, for what is drawn in between. */
  open(role: Role): void;
  close(): void;
  text(letters: readonly Letter[], x: number, y: number, ink: Ink): void;
  /** A horizontal line, which isn't read aloud. */
  rule(from: number, to: number, y: number, color: Color): void;
  /** The file. */
  end(about: { title: string; language: string; at: number }): Buffer;
}

interface Element {
  readonly role: string;
  readonly ref: Ref;
  readonly parent: Element | undefined;
  /** Numbers of marked content, or elements. */
  readonly kids: (number | Element)[];
}

const rounded = (value: number): string => String(Math.round(value * 100) / 100);
const inColor = (color: Color): string => color.map((part) => rounded(part / 255)).join(' ');
const SCOPE = '/A << /O /Table /Scope /Column >> ';

export function createCanvas(): Canvas {
  const file = createPdfFile();
  const fonts = { 400: createEmbeddedFont(400), 600: createEmbeddedFont(600) };
  const commands: string[] = [];
  const marked: Element[] = [];
  const root: Element = { role: 'Document', ref: file.reserve(), parent: undefined, kids: [] };
  const tree = file.reserve();
  const page = file.reserve();
  let current = root;

  /** Letters as numbers of glyphs, with the differences from their usual widths. */
  function shown(letters: readonly Letter[], weight: Weight): string {
    const parts = letters.map((letter) => {
      const code = fonts[weight].glyph(letter).toString(16).padStart(4, '0');
      const difference = inThousandths(letter.outline.advance) - inThousandths(letter.advance);
      return `<${code}>${difference === 0 ? '' : ` ${difference} `}`;
    });
    return `[${parts.join('').replaceAll('><', '')}] TJ`;
  }

  function writeElement({ role, ref, parent, kids }: Element): void {
    for (const kid of kids) if (typeof kid !== 'number') writeElement(kid);
    const list = kids.map((kid) => (typeof kid === 'number' ? kid : kid.ref)).join(' ');
    const more = role === 'TH' ? SCOPE : '';
    file.add(
      `<< /Type /StructElem /S /${role} /P ${parent?.ref ?? tree} /Pg ${page} ${more}/K [${list}] >>`,
      ref,
    );
  }

  function open(role: Role): void {
    const element: Element = { role, ref: file.reserve(), parent: current, kids: [] };
    current.kids.push(element);
    current = element;
  }

  function close(): void {
    current = current.parent ?? root;
  }

  return {
    tag(role, draw) {
      open(role);
      draw();
      close();
    },
    open,
    close,
    text(letters, x, y, { size, weight, color }) {
      if (letters.length === 0) return;
      const id = marked.push(current) - 1;
      current.kids.push(id);
      commands.push(
        `/${current.role} << /MCID ${id} >> BDC`,
        `BT ${inColor(color)} rg /F${weight} ${size} Tf ${rounded(x)} ${rounded(PAGE.height - y)} Td ${shown(letters, weight)} ET`,
        'EMC',
      );
    },
    rule(from, to, y, color) {
      const height = rounded(PAGE.height - y);
      commands.push(
        `/Artifact BMC ${inColor(color)} RG 0.75 w ${rounded(from)} ${height} m ${rounded(to)} ${height} l S EMC`,
      );
    },
    end({ title, language, at }) {
      writeElement(root);
      const content = file.addStream('', Buffer.from(commands.join('\n'), 'latin1'));
      const pages = file.reserve();
      const names = `/F400 ${fonts[400].write(file)} /F600 ${fonts[600].write(file)}`;
      file.add(
        `<< /Type /Page /Parent ${pages} /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << ${names} >> >> /Contents ${content} /StructParents 0 /Tabs /S >>`,
        page,
      );
      file.add(`<< /Type /Pages /Kids [${page}] /Count 1 >>`, pages);
      const owners = marked.map(({ ref }) => ref).join(' ');
      file.add(
        `<< /Type /StructTreeRoot /K [${root.ref}] /ParentTree << /Nums [0 [${owners}]] >> /ParentTreeNextKey 1 >>`,
        tree,
      );
      const catalog = file.add(
        `<< /Type /Catalog /Pages ${pages} /Lang ${pdfText(language)} /MarkInfo << /Marked true >> /StructTreeRoot ${tree} /ViewerPreferences << /DisplayDocTitle true >> >>`,
      );
      const info = file.add(
        `<< /Title ${pdfText(title)} /Producer (Bowerbird) /CreationDate ${pdfTime(at)} /ModDate ${pdfTime(at)} >>`,
      );
      return file.end(catalog, info);
    },
  };
}
