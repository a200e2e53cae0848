import { judge } from './testing/judge.ts';
import { createMemoryStore } from './memory-store.ts';

judge('the memory engine', false, async () => {
  const store = createMemoryStore();
  const open = async () => store;
  return {
    open,
    openDying: async () => ({ store, died: () => true }),
    takeAway: () => Promise.reject(new Error('Memory can’t become unavailable')),
    clear: async () => {},
  };
});
