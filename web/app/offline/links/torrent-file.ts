/** Largest .torrent file in bytes; anything larger is not one. */
const TORRENT_MAX = 11_000_000;

/** Encodes a .torrent file for the API; returns `undefined` if it is too large to be one. */
export async function torrentText(file: File): Promise<string | undefined> {
  if (file.size > TORRENT_MAX) return undefined;
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // Passing all bytes at once would exceed the maximum number of arguments.
  for (let from = 0; from < bytes.length; from += 32_768)
    text += String.fromCharCode(...bytes.subarray(from, from + 32_768));
  return btoa(text);
}
