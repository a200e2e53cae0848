/** Fetches files from web servers, whatever those make of HTTP. */
export { createWebEngine } from './web-engine.ts';
export type { WebDeps } from './web-job.ts';
export { readText, type TextOrder } from './read-text.ts';
