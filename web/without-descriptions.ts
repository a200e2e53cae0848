import type { Plugin } from 'vite';

const text = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\`[^\`$]*\`)`;
const DESCRIPTION = new RegExp(
  String.raw`\b(?:summary|description):\s*${text}(?:\s*\+\s*${text})*\s*,?`,
  'g',
);

/**
 * Removes the summaries and descriptions of the API from the browser's half of the build: only the API
 * reference shows them, and the server renders it.
 */
export function withoutDescriptions(): Plugin {
  return {
    name: 'without-descriptions',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/src\/[^?]+\.ts$/ },
      handler(code) {
        return this.environment.name === 'client'
          ? { code: code.replace(DESCRIPTION, ''), map: null }
          : undefined;
      },
    },
  };
}
