/** Events counted on the pages; {@link siteApi.happened} accepts no others. */
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
/** Path of {@link siteApi.happened}, for pages that make no other calls. */
export const HAPPENINGS_PATH = '/site/v1/happenings';
export type Happening = (typeof HAPPENINGS)[number];
