/** Limits that both sides of the wire observe. Bytes, counts and seconds as named. */
export const LIMITS = {
  /** Maximum bytes of a name: one path segment in UTF-8 after NFC. */
  nameBytes: 255,
  /** Default and maximum number of items per page. */
  page: 100,
  pageMax: 1000,
  /** Ids that one batch call takes. */
  batch: 1000,
  /** Depth of the folder tree. */
  depth: 500,
  /** Smallest and largest passcode, letters and digits. */
  passcodeMin: 4,
  passcodeMax: 10,
  /** Validity of a passcode token for its share. */
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
  /** Time after which a WebDAV lock ends unless it is refreshed. */
  lockSeconds: 3600,
  /** Time after which an idle upload releases its bytes and reserved quota. */
  uploadIdleSeconds: 24 * 3600,
  /** Validity of an upload ticket's credentials. */
  uploadTicketSeconds: 12 * 3600,
  captchaTokenSeconds: 300,
  accessTokenSeconds: 7200,
  refreshTokenSeconds: 60 * 24 * 3600,
  /** Time for which an exchanged refresh token still works, because parallel clients race. */
  refreshGraceSeconds: 60,
  webSessionSeconds: 30 * 24 * 3600,
  /** Maximum length of a session, however much it is used. */
  sessionMostSeconds: 365 * 24 * 3600,
  trashDays: 30,
  /** Time for which a trusted browser skips the second factor. */
  trustedDeviceSeconds: 30 * 24 * 3600,
  /** Passkeys of one account. */
  passkeys: 20,
  /** App passwords and access tokens of one account, and the days for which they may be valid. */
  passes: 50,
  passDaysMin: 30,
  passDaysMax: 365,
  passDays: 90,
} as const;
