import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Replaces the contract's imports of typebox with no-schemas.ts in the browser's half of the build. */
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
