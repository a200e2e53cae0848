/** Limits that both sides of the wire keep. Bytes, counts and seconds as named. */
export const LIMITS = {
  /** A name is one path segment of at most so many bytes of UTF-8 after NFC. */
  nameBytes: 255,
  /** Items of a page where the caller names none, and at the most. */
  page: 100,
  pageMax: 1000,
  /** Ids that one batch call takes. */
  batch: 1000,
  /** Depth of the folder tree. */
  depth: 500,
  /** Smallest and largest passcode, letters and digits. */
  passcodeMin: 4,
  passcodeMax: 10,
  /** A passcode token opens the share for so long. */
  passcodeTokenSeconds: 43_200,
  /** Password length in characters. */
  passwordMin: 8,
  passwordMax: 128,
  displayNameMax: 64,
  shareTitleMax: 120,
  /** Items that one share may have as roots. */
  shareRoots: 1000,
  /** S3 dialect: numbers of parts. */
  partsMax: 10_000,
  /** A WebDAV lock ends after so long unless it is refreshed. */
  lockSeconds: 3600,
  /** An idle upload gives its bytes and reserved quota back after so long. */
  uploadIdleSeconds: 24 * 3600,
  /** The ticket's credentials live so long. */
  uploadTicketSeconds: 12 * 3600,
  captchaTokenSeconds: 300,
  accessTokenSeconds: 7200,
  refreshTokenSeconds: 60 * 24 * 3600,
  /** A refresh token that was just exchanged still works for so long, because parallel clients race. */
  refreshGraceSeconds: 60,
  webSessionSeconds: 30 * 24 * 3600,
  /** However much it is used, nobody stays signed in for longer. */
  sessionMostSeconds: 365 * 24 * 3600,
  trashDays: 30,
  /** A browser that need not be asked for the second factor. */
  trustedDeviceSeconds: 30 * 24 * 3600,
  /** Passkeys of one account. */
  passkeys: 20,
  /** App passwords and access tokens of one account, and the days that they may last. */
  passes: 50,
  passDaysMin: 30,
  passDaysMax: 365,
  passDays: 90,
} as const;
