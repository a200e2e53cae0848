export { openApp, type App, type Edges } from './app.ts';
