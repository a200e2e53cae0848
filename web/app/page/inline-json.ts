/** JSON as it stands in a script element, which no `<` in it can end. */
export const inlineJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
