import type { Plugin } from 'vite';

/**
 * Functions of React's server renderer that handle the pieces of a page, and how they are replaced. The renderer
 * measures and encodes each of the ten thousand pieces of a page with calls to native code, which takes longer than
 * creating them. Its version for Bun leaves them as texts, as this does.
 */
const REPLACED: Readonly<Record<string, string>> = {
  writeChunk: '(destination, chunk) { if (chunk !== "") destination.write(chunk); }',
  completeWriting: '() {}',
  stringToPrecomputedChunk: '(content) { return content; }',
  byteLengthOfChunk: '(chunk) { return chunk.length; }',
};

/** Makes React's server renderer write texts. Throws if its code has changed so that this isn't possible. */
export function writingText(code: string): string {
  let changed = code;
  for (const [name, replacement] of Object.entries(REPLACED)) {
    const [before, rest, ...more] = changed.split(`\nfunction ${name}(`);
    const end = rest?.indexOf('\n}\n') ?? -1;
    if (before === undefined || rest === undefined || end < 0 || more.length > 0)
      throw new Error(`React's server renderer has no function ${name} of the known form`);
    changed = `${before}\nfunction ${name}${replacement}${rest.slice(end + 2)}`;
  }
  return changed;
}

/** Lets the server render pages as text ({@link writingText}). */
export function reactAsText(): Plugin {
  return {
    name: 'react-as-text',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/react-dom-server\.node\.production\.js$/ },
      handler: (code) => writingText(code),
    },
  };
}
