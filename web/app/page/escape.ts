const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for HTML and XML, between tags or in double quotes. */
export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
