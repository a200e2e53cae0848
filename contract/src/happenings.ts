/** What the pages count when it happens; {@link siteApi.happened} takes nothing else. */
export const HAPPENINGS = [
  'cookie_tips_shown',
  'cookie_tips_clicked',
  'block_page_shown',
  'language_switched',
  'review_panel',
  'sidebar_clicked',
  'spread_page',
  'signed_up_source',
  'signed_up_medium',
  'signed_up_campaign',
  'signed_up_referrer',
] as const;
/** Where {@link siteApi.happened} is asked, for pages that ask nothing else of the site. */
export const HAPPENINGS_PATH = '/site/v1/happenings';
export type Happening = (typeof HAPPENINGS)[number];
