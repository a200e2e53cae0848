const LINK = /(?:https?:\/\/|magnet:\?)\S+/i;

/** The link that another app shared: as such or, as most apps do, somewhere in the text. */
export function sharedLink(fields: { url: string; text: string; title: string }): string | undefined {
  for (const field of [fields.url, fields.text, fields.title]) {
    const found = LINK.exec(field)?.[0];
    if (found) return found;
  }
  return undefined;
}
