/** Piece of a line with its color; an empty color is that of plain text. */
export type Token = readonly [color: string, text: string];

/** Colors by the names that the highlighter gives to parts of a program. */
const COLORS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    keyword: 'keyword literal built_in selector-tag doctag tag-name',
    string: 'string regexp char attribute-value link addition',
    number: 'number symbol bullet',
    comment: 'comment quote',
    name: 'title name section class function',
    type: 'type attr attribute property variable template-variable selector-class selector-id selector-attr selector-pseudo',
    meta: 'meta template-tag',
    removed: 'deletion',
    strong: 'strong',
    emphasis: 'emphasis',
  }).flatMap(([color, names]) => names.split(' ').map((name) => [name, color])),
);

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** A tag or a text of the highlighter's HTML, which contains no other tags than `span`. */
const PART = /<span class="([^"]*)">|<\/span>|[^<]+/g;

/** Splits the highlighter's HTML into lines of tokens. The result contains text only, never markup. */
export function linesOfTokens(html: string): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]];
  const colors: string[] = [];
  for (const [part, names] of html.matchAll(PART)) {
    if (names !== undefined) {
      const name = names.split(' ')[0]!.replace(/^hljs-/, '');
      colors.push(COLORS[name] ?? colors.at(-1) ?? '');
    } else if (part === '</span>') colors.pop();
    else {
      const text = part.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity]!);
      for (const [at, piece] of text.split('\n').entries()) {
        if (at > 0) lines.push([]);
        if (piece !== '') lines.at(-1)!.push([colors.at(-1) ?? '', piece]);
      }
    }
  }
  return lines;
}
