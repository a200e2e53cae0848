/** Fetches files from web servers, whatever those make of HTTP. */
export { createWebEngine, type WebDeps } from './web-engine.ts';
export { readText, type TextOrder } from './read-text.ts';
