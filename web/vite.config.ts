import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { catalogues } from './catalogues.ts';

export default defineConfig({
  plugins: [catalogues(), tailwindcss(), reactRouter()],
  build: { target: 'baseline-widely-available' },
  // Found late, these would make the first visit in development reload.
  optimizeDeps: { include: ['react', 'react-dom/client', 'react-router', 'react-router/dom', '@tanstack/react-query', '@tanstack/react-virtual'] },
  server: { fs: { allow: ['..'] } },
});
