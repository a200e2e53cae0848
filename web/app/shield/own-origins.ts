import type { PageFacts } from '#app/i18n/page-frame.tsx';

/** Origins whose pages are ours: messages go to them and are heard from them, and from nowhere else. */
export const ownOrigins = ({ origin, origins }: Pick<PageFacts, 'origin' | 'origins'>): readonly string[] => [
  ...new Set([origin, ...origins]),
];
