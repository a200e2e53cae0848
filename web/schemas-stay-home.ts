import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Gives the browser's half of the build no-schemas.ts where the contract asks for typebox. */
export function schemasStayHome(): Plugin {
  return {
    name: 'schemas-stay-home',
    enforce: 'pre',
    resolveId(id) {
      return id === 'typebox' && this.environment.name === 'client'
        ? join(import.meta.dirname, 'no-schemas.ts')
        : undefined;
    },
  };
}
