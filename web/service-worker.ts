import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const fileName = 'service-worker.js';

/**
 * Builds the service worker as a standalone script at the root of the site: browsers identify it by that
 * address, and it shares no chunk with pages. Not active in development.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    async generateBundle() {
      if (this.environment.name !== 'client') return;
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        build: {
          write: false,
          target: 'baseline-widely-available',
          rolldownOptions: {
            input: join(import.meta.dirname, 'app/pwa/service-worker.ts'),
            output: { format: 'iife', entryFileNames: fileName },
          },
        },
      });
      if (!('output' in built)) throw new Error('The service worker was not built');
      this.emitFile({ type: 'asset', fileName, source: built.output[0].code });
    },
  };
}
