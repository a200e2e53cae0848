/** Says that a visitor was let in a short while ago. */
export const ACCESS_COOKIE = 'pp_access_to_visit';
export const ACCESS_SECONDS = 600;
