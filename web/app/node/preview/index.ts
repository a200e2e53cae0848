import { lazy } from 'react';

export { Preview, type PreviewProps } from './preview.tsx';
export { SinglePreview, type SinglePreviewProps } from './single-preview.tsx';
/** Markdown as harmless HTML (a README below a listing); comes with its parser, so it stands in a `Suspense`. */
export const Markdown = lazy(() => import('./markdown.tsx'));
