/** Serializes JSON for a script element, with every `<` escaped so that none can close the element. */
export const inlineJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
