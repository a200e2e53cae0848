// Reads the ICU subset that our messages are written in: {name}, {name, number|date|time}, {name, plural|selectordinal|
// select, key {…} …}, # and <tag>…</tag>. Straight apostrophes quote nothing: catalogues may not contain any.

/** What a translation must have in common with its source. */
export interface MessageShape {
  /** Every argument with its type: `count: plural`, `name: text`. */
  readonly arguments: ReadonlyMap<string, string>;
  readonly tags: ReadonlySet<string>;
  /** Plural and select arguments, each with the cases it has, in the order of their appearance. */
  readonly choices: readonly Choice[];
  /** The text that a person reads, without arguments and tags. */
  readonly text: string;
}

export interface Choice {
  readonly argument: string;
  readonly type: 'plural' | 'selectordinal' | 'select';
  readonly cases: readonly string[];
}

/** Throws a SyntaxError that says what is wrong where. */
export function readMessage(source: string): MessageShape {
  const args = new Map<string, string>();
  const tags = new Set<string>();
  const choices: Choice[] = [];
  let text = '';
  let at = 0;

  const fail = (what: string): never => {
    throw new SyntaxError(`${what} at character ${at + 1}`);
  };
  const expect = (character: string) => {
    if (source[at] !== character) fail(`expected “${character}”`);
    at += 1;
  };
  const take = (pattern: RegExp): string => {
    const sticky = new RegExp(pattern, 'y');
    sticky.lastIndex = at;
    const found = sticky.exec(source)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const spaces = () => take(/\s*/);

  function content(depth: number): void {
    while (at < source.length) {
      if (source[at] === '{') argument(depth);
      else if (source[at] === '}') {
        if (depth === 0) fail('unexpected “}”');
        return;
      } else if (/^<\/?[a-z]/i.test(source.slice(at, at + 3))) tag();
      else text += take(/[^{}<]+|</);
    }
    if (depth > 0) fail('missing “}”');
  }

  function tag(): void {
    const found = take(/<\/?[a-z][\w-]*\s*\/?>/i);
    if (!found) fail('a tag without an end');
    tags.add(found.replace(/[<>/\s]/g, ''));
  }

  function argument(depth: number): void {
    expect('{');
    spaces();
    const name = take(/\w+/);
    if (!name) fail('an argument without a name');
    spaces();
    let type = 'text';
    if (source[at] === ',') {
      expect(',');
      spaces();
      type = take(/\w+/);
      spaces();
      if (type === 'plural' || type === 'selectordinal' || type === 'select') choice(name, type, depth);
      else if (['number', 'date', 'time'].includes(type)) take(/(?:,[^{}]*)?/);
      else fail(`unknown type “${type}”`);
    }
    expect('}');
    args.set(name, type);
  }

  function choice(name: string, type: Choice['type'], depth: number): void {
    expect(',');
    const cases: string[] = [];
    for (spaces(); source[at] !== '}'; spaces()) {
      const key = take(type === 'select' ? /\w+/ : /=\d+|[a-z]+/);
      if (!key) fail(`a ${type} case without a name`);
      if (cases.includes(key)) fail(`case “${key}” twice`);
      cases.push(key);
      spaces();
      expect('{');
      content(depth + 1);
      expect('}');
    }
    if (!cases.includes('other')) fail(`${type} without “other”`);
    choices.push({ argument: name, type, cases });
  }

  content(0);
  return { arguments: args, tags, choices, text };
}
