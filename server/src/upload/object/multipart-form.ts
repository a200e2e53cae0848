/** Thrown if the form is malformed, ends early, or is not a form. */
export class BadForm extends Error {
  override name = 'BadForm';
}

export interface OpenForm {
  /** Fields before the file, by lower-case name. */
  readonly fields: ReadonlyMap<string, string>;
  /**
   * Content of the file. A chunk is valid until the next one is requested. Ends after the end of the form;
   * throws {@link BadForm} if the form ends early.
   */
  readonly content: AsyncIterable<Uint8Array>;
}

const FILE_FIELD = 'file';
const MOST_FIELDS = 50;
const MOST_HEADERS = 32;
const LONGEST_FIELD = 64 * 1024;
const LONGEST_HEAD = 16 * 1024;
/** Most bytes that are read without finding the end of a field or the start of the file. */
const LONGEST_PART = LONGEST_FIELD + 2 * LONGEST_HEAD;

/** Boundary in a Content-Type; undefined if it is not that of a form. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (!/^multipart\/form-data\b/i.test(contentType ?? '')) return undefined;
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"\\\r\n]{1,70})"|([^\s;"\\]{1,70}))/i.exec(contentType!) ?? [];
  return quoted ?? plain;
}

/**
 * Opens a `multipart/form-data` body up to its file, which is read as it arrives. Parts after the file are
 * parsed and ignored.
 */
export async function openForm(source: AsyncIterable<Uint8Array>, boundary: string): Promise<OpenForm> {
  // Imported with the first form: few clients upload by form, and the import takes several milliseconds.
  const { Busboy } = await import('@fastify/busboy');
  const chunks = source[Symbol.asyncIterator]();
  const fields = new Map<string, string>();
  // Pieces of the last chunk that belong to the file.
  const pieces: Uint8Array[] = [];
  let pending = 0;
  let isInFile = false;
  let isOver = false;
  let bad: BadForm | undefined;
  let resume = (): void => {};

  const reject = (reason: string): void => {
    bad ??= new BadForm(reason);
    resume();
  };
  const parser = new Busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    isPartAFile: (name) => name?.toLowerCase() === FILE_FIELD,
    limits: {
      fields: MOST_FIELDS,
      files: 1,
      parts: MOST_FIELDS + 1,
      fieldSize: LONGEST_FIELD,
      headerPairs: MOST_HEADERS,
      headerSize: LONGEST_HEAD,
    },
  });
  parser.on('field', (name: string | undefined, value, _isNameCut, isCut) => {
    pending = 0;
    if (isInFile) return;
    if (isCut) reject('a part is too long');
    fields.set((name ?? '').toLowerCase(), value);
  });
  parser.on('file', (_name, file) => {
    isInFile = true;
    file.on('data', (piece: Uint8Array) => void pieces.push(piece));
    // The parser reports the same error.
    file.on('error', () => {});
  });
  for (const event of ['fieldsLimit', 'partsLimit'] as const)
    parser.on(event, () => reject('it has too many fields'));
  parser.on('error', () => reject('it ends early'));
  parser.on('finish', () => {
    isOver = true;
    resume();
  });

  /** Parses the next chunk. The parser keeps no part of it, because the chunk becomes invalid. */
  async function parseNext(): Promise<void> {
    const { done, value } = await chunks.next();
    pending += value?.length ?? 0;
    await new Promise<void>((resolve) => {
      resume = resolve;
      if (done) parser.end();
      else parser.write(value, () => resolve());
    });
    if (bad) throw bad;
    if (!isInFile && pending > LONGEST_PART) throw new BadForm('a part is too long');
  }

  async function* content(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      yield* pieces.splice(0);
      if (isOver) return;
      await parseNext();
    }
  }

  while (!isInFile) {
    if (isOver) throw new BadForm('it has no file');
    await parseNext();
  }
  return { fields, content: content() };
}
