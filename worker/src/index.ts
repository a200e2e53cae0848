export { createPictures, type Pictures } from './picture.ts';
