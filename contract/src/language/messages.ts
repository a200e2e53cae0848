/** Values for the placeholders of a message. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** A part of a message: text, a placeholder, or `#` (the count of the enclosing plural). */
export type MessagePart =
  | string
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'count' }
  | {
      readonly kind: 'plural' | 'select';
      readonly name: string;
      readonly forms: ReadonlyMap<string, readonly MessagePart[]>;
    };

/** Messages come from our own catalogues, so the size of this cache is bounded. */
const parsed = new Map<string, readonly MessagePart[]>();
const numberFormats = new Map<string, Intl.NumberFormat>();
const pluralRules = new Map<string, Intl.PluralRules>();

/**
 * Fills in a message of the catalogue: `{name}`, `{n, plural, =0 {none} one {# file} other {# files}}` and `{kind,
 * select, folder {…} other {…}}`, nested to any depth. Numbers are formatted for the locale. Apostrophes have no
 * special meaning. A placeholder without a value is left empty; a message that doesn't parse is shown as is.
 */
export function formatMessage(locale: string, message: string, values: MessageValues = {}): string {
  if (!message.includes('{')) return message;
  return write(locale, partsOf(message), values, 0);
}

/**
 * A message split at its placeholders, for pages that put elements there: texts as strings, placeholders as `{ name
 * }`.
 */
export function messagePieces(
  locale: string,
  message: string,
  values: MessageValues = {},
): (string | { name: string })[] {
  return partsOf(message).map((part) =>
    typeof part === 'object' && part.kind === 'value' && !(part.name in values)
      ? { name: part.name }
      : write(locale, [part], values, 0),
  );
}

/** Names of a message's placeholders and whether each must be a number; throws a SyntaxError if it does not parse. */
export function messagePlaceholders(message: string): Map<string, 'number' | 'any'> {
  const found = new Map<string, 'number' | 'any'>();
  const walk = (parts: readonly MessagePart[]): void => {
    for (const part of parts) {
      if (typeof part === 'string' || part.kind === 'count') continue;
      if (part.kind === 'plural') found.set(part.name, 'number');
      else if (!found.has(part.name)) found.set(part.name, 'any');
      if (part.kind !== 'value') for (const form of part.forms.values()) walk(form);
    }
  };
  walk(parseMessage(message));
  return found;
}

function write(locale: string, parts: readonly MessagePart[], values: MessageValues, count: number): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else if (part.kind === 'count') text += numberFormat(locale).format(count);
    else if (part.kind === 'value') text += writeValue(locale, values[part.name]);
    else if (part.kind === 'select')
      text += write(locale, formOf(part.forms, String(values[part.name])), values, count);
    else {
      const n = Number(values[part.name] ?? 0);
      const form = part.forms.get(`=${n}`) ?? formOf(part.forms, plurals(locale).select(n));
      text += write(locale, form, values, n);
    }
  }
  return text;
}

const formOf = (forms: ReadonlyMap<string, readonly MessagePart[]>, key: string): readonly MessagePart[] =>
  forms.get(key) ?? forms.get('other') ?? [];

function writeValue(locale: string, value: string | number | undefined): string {
  return typeof value === 'number' ? numberFormat(locale).format(value) : (value ?? '');
}

function numberFormat(locale: string): Intl.NumberFormat {
  const known = numberFormats.get(locale) ?? new Intl.NumberFormat(locale);
  numberFormats.set(locale, known);
  return known;
}

function plurals(locale: string): Intl.PluralRules {
  const known = pluralRules.get(locale) ?? new Intl.PluralRules(locale);
  pluralRules.set(locale, known);
  return known;
}

function partsOf(message: string): readonly MessagePart[] {
  let parts = parsed.get(message);
  if (!parts) {
    try {
      parts = parseMessage(message);
    } catch {
      parts = [message];
    }
    parsed.set(message, parts);
  }
  return parts;
}

/** Parses a message by recursive descent; throws a SyntaxError with the problem and its position. */
export function parseMessage(message: string): readonly MessagePart[] {
  let at = 0;
  const fail = (what: string): never => {
    throw new SyntaxError(`${what} at ${at} in "${message}"`);
  };
  const read = (pattern: RegExp, what: string): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(message) ?? fail(`${what} expected`);
    at = pattern.lastIndex;
    return found[1] ?? found[0];
  };

  const readParts = (inPlural: boolean, nested: boolean): MessagePart[] => {
    const parts: MessagePart[] = [];
    for (;;) {
      const text = read(inPlural ? /[^{}#]*/y : /[^{}]*/y, 'text');
      if (text !== '') parts.push(text);
      const next = message[at];
      if (next === '{') parts.push(readPlaceholder(inPlural));
      else if (next === '#') {
        at += 1;
        parts.push({ kind: 'count' });
      } else if (next === '}' && nested) return parts;
      else if (next === undefined && !nested) return parts;
      else fail('unbalanced brace');
    }
  };

  const readPlaceholder = (inPlural: boolean): MessagePart => {
    const name = read(/\{\s*(\w+)\s*/y, 'name');
    if (message[at] === '}') {
      at += 1;
      return { kind: 'value', name };
    }
    const kind = read(/,\s*(plural|select)\s*,\s*/y, 'plural or select') as 'plural' | 'select';
    const forms = new Map<string, readonly MessagePart[]>();
    while (message[at] !== '}') {
      const key = read(/(=?\w+)\s*\{/y, 'form');
      if (forms.has(key)) fail(`the form "${key}" a second time`);
      forms.set(key, readParts(kind === 'plural' || inPlural, true));
      read(/\}\s*/y, 'closing brace');
    }
    at += 1;
    if (!forms.has('other')) fail('the form "other" is missing');
    return { kind, name, forms };
  };

  return readParts(false, false);
}
