/** Replacement of a part of a text, and the selection after it. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly selection: readonly [start: number, end: number];
}

const INDENTED = /^(\t| {2,8})(?=\S)/m;

/** Indentation that a text uses: a tab, or spaces. */
export function indentationOf(text: string): string {
  const found = INDENTED.exec(text)?.[1] ?? '  ';
  return found === '\t' || found.length <= 4 ? found : '  ';
}

/** Indents the selected lines, or outdents them; without a selection, indents at the cursor. */
export function indent(text: string, start: number, end: number, isOut: boolean): Replacement | undefined {
  const by = indentationOf(text);
  if (start === end && !isOut)
    return { from: start, to: end, text: by, selection: [start + by.length, start + by.length] };
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end;
  const lineEnd = text.indexOf('\n', last);
  const to = lineEnd < 0 ? text.length : lineEnd;
  const lines = text.slice(from, to).split('\n');
  const changed = lines.map((line) =>
    isOut
      ? line.replace(by === '\t' ? /^(\t| {1,4})/ : new RegExp(`^(\\t| {1,${by.length}})`), '')
      : by + line,
  );
  const replaced = changed.join('\n');
  if (replaced === text.slice(from, to)) return undefined;
  const first = changed[0]!.length - lines[0]!.length;
  const grown = replaced.length - (to - from);
  return {
    from,
    to,
    text: replaced,
    selection: [Math.max(from, start + first), Math.max(from, end + grown)],
  };
}
