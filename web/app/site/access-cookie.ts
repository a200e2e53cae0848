/** Marks that a visitor was recently found to be in a supported region. */
export const ACCESS_COOKIE = 'pp_access_to_visit';
export const ACCESS_SECONDS = 600;
