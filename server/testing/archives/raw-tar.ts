/** An entry as it is written. */
export interface TarEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly isFolder?: boolean;
  /** Target of a link. */
  readonly link?: string;
}

const BLOCK = 512;

/** Builds a tar byte by byte; its names can be in any encoding. */
export function rawTar(entries: readonly TarEntry[]): Buffer {
  const parts: Buffer[] = [];
  for (const entry of entries) {
    const content = Buffer.from((entry.link === undefined ? (entry.content ?? '') : '') as string);
    const head = Buffer.alloc(BLOCK);
    Buffer.from(entry.name as string).copy(head);
    head.write('0000644\0', 100);
    head.write('0000000\0', 108);
    head.write('0000000\0', 116);
    head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    head.write('15000000000\0', 136);
    head.write(' '.repeat(8), 148);
    head.write(entry.link !== undefined ? '2' : entry.isFolder ? '5' : '0', 156);
    head.write(entry.link ?? '', 157);
    head.write('ustar\u000000', 257);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    parts.push(head, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK));
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}
