import type { PageFacts } from '#app/i18n/page-frame.tsx';

/** Origins of first-party pages: messages are sent to and accepted from these only. */
export const ownOrigins = ({ origin, origins }: Pick<PageFacts, 'origin' | 'origins'>): readonly string[] => [
  ...new Set([origin, ...origins]),
];
