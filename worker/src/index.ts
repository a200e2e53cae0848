export { createPictures, type Pictures } from './thumbnails/picture.ts';
