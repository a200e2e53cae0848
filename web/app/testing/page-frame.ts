import messages from '../../../locales/en-US.json' with { type: 'json' };
import type { PageFrameValue } from '#app/i18n/page-frame.tsx';

/** Data of a page in English, for tests. */
export const FRAME: PageFrameValue = {
  locale: 'en-US',
  timeZone: 'UTC',
  now: 0,
  theme: 'system',
  origin: 'https://drive.example',
  origins: [],
  framedBy: [],
  accepted: 'en-US',
  isCounting: false,
  catalogue: messages as PageFrameValue['catalogue'],
  nonce: '',
};
