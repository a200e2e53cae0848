/** Bytes of a .torrent file; what is larger is none. */
const TORRENT_MAX = 11_000_000;

/** A .torrent file as the wire takes it; undefined where it is too large to be one. */
export async function torrentText(file: File): Promise<string | undefined> {
  if (file.size > TORRENT_MAX) return undefined;
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // All at once would be more arguments than a call takes.
  for (let from = 0; from < bytes.length; from += 32_768)
    text += String.fromCharCode(...bytes.subarray(from, from + 32_768));
  return btoa(text);
}
