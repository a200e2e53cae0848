import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { catalogues } from './catalogues.ts';
import { pdfAssets } from './pdf-assets.ts';
import { schemasStayHome } from './schemas-stay-home.ts';
import { sharedChunk } from './shared-chunk.ts';

export default defineConfig(({ command }) => ({
  plugins: [catalogues(), schemasStayHome(), pdfAssets(), tailwindcss(), reactRouter()],
  build: { target: 'baseline-widely-available' },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: [sharedChunk()] } } } } },
  },
  // The rendered half is one bundle, too: an icon would else pull in the files of a thousand others when the server starts.
  ssr: command === 'build' ? { noExternal: true } : {},
  // Found late, these would make the first visit in development reload.
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
