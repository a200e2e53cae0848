export { createSettings, type Settings } from './site-store.ts';
