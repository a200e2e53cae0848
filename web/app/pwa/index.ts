/**
 * Progressive web app: manifest, offline page, and receiving files that other apps share. Render
 * `<ServiceWorkerHost>` once on every page, and call `takeLeftFiles()` on the page that uploads the shared
 * files.
 */
export { takeLeftFiles } from './left-files.ts';
export { ServiceWorkerHost } from './service-worker-host.ts';
