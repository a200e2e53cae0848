/** Thrown if the form is malformed, ends early, or is not a form. */
export class BadForm extends Error {
  override name = 'BadForm';
}

export interface OpenForm {
  /** Fields before the file, by lower-case name. */
  readonly fields: ReadonlyMap<string, string>;
  /**
   * Content of the file. A chunk is valid until the next one is requested. Throws {@link BadForm} if the form
   * ends early.
   */
  readonly content: AsyncIterable<Uint8Array>;
}

const FILE_FIELD = 'file';
const MOST_FIELDS = 50;
const LONGEST_FIELD = 64 * 1024;
const LONGEST_HEAD = 16 * 1024;

/** Boundary in a Content-Type; undefined if it is not that of a form. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (!/^multipart\/form-data\b/i.test(contentType ?? '')) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType!) ?? [];
  return quoted ?? plain;
}

/**
 * Opens a `multipart/form-data` body up to its file, which is read as it arrives. The rest after the file is
 * read and ignored, so that the connection stays usable.
 */
export async function openForm(source: AsyncIterable<Uint8Array>, boundary: string): Promise<OpenForm> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const chunks = source[Symbol.asyncIterator]();
  // Line break before the first delimiter, which has none.
  let held: Buffer = Buffer.from('\r\n');
  let over = false;

  async function more(): Promise<boolean> {
    const { done, value } = await chunks.next();
    if (done) over = true;
    else held = Buffer.concat([held, value as Uint8Array]);
    return !over;
  }

  async function upTo(mark: Buffer, most: number): Promise<Buffer> {
    for (let from = 0; ;) {
      const at = held.indexOf(mark, from);
      if (at >= 0) {
        const before = held.subarray(0, at);
        held = held.subarray(at + mark.length);
        return before;
      }
      if (held.length > most) throw new BadForm('a part is too long');
      from = Math.max(0, held.length - mark.length);
      if (!(await more())) throw new BadForm('it ends early');
    }
  }

  /** Returns whether another part follows the delimiter just read. */
  async function another(): Promise<boolean> {
    while (held.length < 2) if (!(await more())) throw new BadForm('it ends early');
    const [first, second] = [held[0], held[1]];
    if (first === DASH && second === DASH) return false;
    await upTo(LINE, LONGEST_HEAD);
    return true;
  }

  async function nameOfPart(): Promise<string> {
    // A part without headers starts with the empty line.
    held = Buffer.concat([LINE, held]);
    const head = (await upTo(HEAD_END, LONGEST_HEAD)).toString('utf8');
    const name = /^content-disposition:[^\r\n]*?;\s*name=(?:"([^"]*)"|([^\s;]+))/im.exec(head);
    return (name?.[1] ?? name?.[2] ?? '').toLowerCase();
  }

  async function* content(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const at = held.indexOf(delimiter);
      if (at >= 0) {
        if (at > 0) yield held.subarray(0, at);
        break;
      }
      // A possible start of a delimiter is held back.
      const sure = held.length - delimiter.length + 1;
      if (sure > 0) {
        yield held.subarray(0, sure);
        held = Buffer.from(held.subarray(sure));
      }
      if (!(await more())) throw new BadForm('it ends early');
    }
    held = Buffer.alloc(0);
    while (!(await chunks.next()).done);
  }

  await upTo(delimiter, LONGEST_HEAD);
  const fields = new Map<string, string>();
  while (await another()) {
    const name = await nameOfPart();
    if (name === FILE_FIELD) return { fields, content: content() };
    if (fields.size >= MOST_FIELDS) throw new BadForm('it has too many fields');
    fields.set(name, (await upTo(delimiter, LONGEST_FIELD)).toString('utf8'));
  }
  throw new BadForm('it has no file');
}

const DASH = 45;
const LINE = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');
