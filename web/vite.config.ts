import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { catalogues } from './catalogues.ts';
import { iconsOneByOne } from './icons-one-by-one.ts';
import { leanEndpoints } from './lean-endpoints.ts';
import { pdfAssets } from './pdf-assets.ts';
import { reactAsText } from './react-as-text.ts';
import { serviceWorker } from './service-worker.ts';
import { sharedChunks } from './shared-chunks.ts';

/** The first start prints what the build prints: which plugins are slow is of no use to those who read it. */
const checks = { pluginTimings: false };

export default defineConfig(({ command }) => ({
  plugins: [
    catalogues(),
    leanEndpoints(),
    pdfAssets(),
    serviceWorker(),
    iconsOneByOne(),
    reactAsText(),
    tailwindcss(),
    reactRouter(),
  ],
  build: { target: 'baseline-widely-available' },
  environments: {
    client: {
      build: { rolldownOptions: { checks, output: { codeSplitting: { groups: sharedChunks() } } } },
    },
    // Without this, the bundle contains the development version of React, too, and chooses when it is loaded.
    ssr:
      command === 'build'
        ? { build: { rolldownOptions: { checks } }, define: { 'process.env.NODE_ENV': '"production"' } }
        : {},
  },
  // The server build is a single bundle as well: otherwise one icon would read a thousand other icon files
  // when the server starts.
  ssr: command === 'build' ? { noExternal: true } : {},
  // If discovered late, these would make the first visit in development reload.
  optimizeDeps: {
    include: [
      'react',
      'react-dom/client',
      'react-router',
      'react-router/dom',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'lucide-react',
    ],
  },
  server: { fs: { allow: ['..'] } },
}));
