const texts = new WeakMap<object, string>();

const isFrozenList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && Object.isFrozen(value);

/** Makes a list and everything in it unchangeable, so that {@link replyText} has to convert it only once. */
export function frozenList<T>(list: T[]): T[] {
  for (const entry of list) freeze(entry);
  return Object.freeze(list) as T[];
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) freeze(part);
  Object.freeze(value);
}

/** JSON of a reply. The text of a frozen list, which many replies may contain, is remembered as long as the list. */
export function replyText(reply: unknown): string {
  const fields = typeof reply === 'object' && reply !== null ? Object.entries(reply) : [];
  if (Array.isArray(reply) || !fields.some(([, value]) => isFrozenList(value))) return JSON.stringify(reply);
  const written = fields.flatMap(([name, value]) => {
    const text = isFrozenList(value) ? textOf(value) : JSON.stringify(value);
    // As in JSON.stringify, a field without a value is left out.
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${written.join(',')}}`;
}

function textOf(list: readonly unknown[]): string {
  let text = texts.get(list);
  if (text === undefined) texts.set(list, (text = JSON.stringify(list)));
  return text;
}
