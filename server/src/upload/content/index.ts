export { mountContents } from './content-routes.ts';
