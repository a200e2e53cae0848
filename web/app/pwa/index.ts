/**
 * The site as an app: manifest, offline page, and what other apps share to it. `<ServiceWorkerHost>` once on every page;
 * `takeLeftFiles()` where files that were shared are to go.
 */
export { takeLeftFiles } from './left-files.ts';
export { ServiceWorkerHost } from './service-worker-host.ts';
