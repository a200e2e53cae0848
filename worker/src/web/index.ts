/** Fetches files from web servers, including those that implement HTTP badly. */
export { createWebEngine } from './web-engine.ts';
export type { WebDeps } from './web-job.ts';
export { readText, type TextRequest } from './read-text.ts';
