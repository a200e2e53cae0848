// Parts that a translation must have in common with its source, whatever its wording.

/** The structure of a Markdown text. */
export interface Shape {
  /** Levels of the headings, in order, each with its explicit anchor. */
  readonly headings: readonly string[];
  /** Targets of links, sorted. */
  readonly links: readonly string[];
  /** Placeholders such as {{operator}}, sorted. */
  readonly placeholders: readonly string[];
  /** Code blocks, in order. */
  readonly code: readonly string[];
  /** Number of items in lists, and of rows in tables. */
  readonly items: number;
  readonly rows: number;
}

const FENCE = /^```.*\n([\s\S]*?)^```$/gm;

export function shapeOf(markdown: string): Shape {
  const code = [...markdown.matchAll(FENCE)].map(([, text]) => text!);
  const prose = markdown.replaceAll(FENCE, '');
  const all = (pattern: RegExp): string[] => [...prose.matchAll(pattern)].map((match) => match[1]!);
  return {
    headings: [...prose.matchAll(/^(#{1,6}) .*?(?:\{#([\w-]+)\})?$/gm)].map(
      ([, marks, anchor = '']) => `${marks}${anchor}`,
    ),
    links: all(/\]\(([^)\s]+)\)/g).toSorted(),
    placeholders: all(/\{\{(\w+)\}\}/g).toSorted(),
    code,
    items: all(/^ *(?:[-*]|\d+\.) (.)/gm).length,
    rows: all(/^\|(.)/gm).length,
  };
}

/** The differences between the structure of a translation and that of its source. */
export function differences(source: Shape, translation: Shape): string[] {
  return (Object.keys(source) as (keyof Shape)[])
    .filter((part) => JSON.stringify(source[part]) !== JSON.stringify(translation[part]))
    .map(
      (part) =>
        `differs from English in its ${part}: ${brief(translation[part])}, not ${brief(source[part])}`,
    );
}

const brief = (value: unknown): string => JSON.stringify(value).slice(0, 120);
