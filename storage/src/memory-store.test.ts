import { judge } from './blob-store.suite.ts';
import { createMemoryStore } from './memory-store.ts';

judge('the memory engine', false, async () => {
  const store = createMemoryStore();
  return { open: async () => store, clear: async () => {} };
});
