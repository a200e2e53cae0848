import { judge } from './blob-store.suite.ts';
import { createMemoryStore } from './memory-store.ts';

judge('the memory engine', false, async () => {
  const store = createMemoryStore();
  const open = async () => store;
  return { open, openDying: async () => ({ store, died: () => true }), clear: async () => {} };
});
