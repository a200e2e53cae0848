/** Limits that server and clients both observe, in bytes, counts or seconds as their names say. */
export const LIMITS = {
  /** Maximum length of a name in bytes: one path segment in UTF-8 after NFC. */
  nameBytes: 255,
  /** Default and maximum number of items per page. */
  page: 100,
  pageMax: 1000,
  /** Maximum number of IDs in one batch call. */
  batch: 1000,
  /** Maximum number of items that are renamed in one call, and the size of its body. */
  renames: 10_000,
  renamesBytes: 8 * 1024 * 1024,
  /** Maximum depth of the folder tree. */
  depth: 500,
  /** Minimum and maximum length of a passcode, which consists of letters and digits. */
  passcodeMin: 4,
  passcodeMax: 10,
  /** Validity of a passcode token for its share. */
  passcodeTokenSeconds: 43_200,
  /** Minimum and maximum password length in characters. */
  passwordMin: 8,
  passwordMax: 128,
  displayNameMax: 64,
  shareTitleMax: 120,
  /** Maximum number of items that a share can have as roots. */
  shareRoots: 1000,
  /** Part numbers of the S3 dialect. */
  partsMax: 10_000,
  /** Duration of a WebDAV lock that is not refreshed. */
  lockSeconds: 3600,
  /** Maximum number of files in one batch upload, and the maximum size of each file and of all of them together. */
  uploadBatch: 50,
  uploadBatchFileBytes: 256 * 1024,
  uploadBatchBytes: 4 * 1024 * 1024,
  /** Idle time after which the bytes and reserved quota of an upload are released. */
  uploadIdleSeconds: 24 * 3600,
  /** Validity of the credentials in an upload ticket. */
  uploadTicketSeconds: 12 * 3600,
  captchaTokenSeconds: 300,
  accessTokenSeconds: 7200,
  refreshTokenSeconds: 60 * 24 * 3600,
  /** Time for which an exchanged refresh token still works, because parallel clients race. */
  refreshGraceSeconds: 60,
  webSessionSeconds: 30 * 24 * 3600,
  /** Maximum duration of a session, however much it is used. */
  sessionMostSeconds: 365 * 24 * 3600,
  trashDays: 30,
  /** Maximum number of earlier versions of a file, and of those that have a label or are kept forever. */
  versions: 1000,
  versionsPinned: 100,
  versionLabelMax: 120,
  /** Maximum number of tags of a member, and of an item; maximum length of their names in characters. */
  tags: 200,
  tagsOfItem: 20,
  tagNameMax: 50,
  /** Maximum number of pinned folders, and maximum length of the names of pins in characters. */
  pins: 50,
  pinNameMax: 50,
  /** Maximum number of a member's notes, and their maximum length in characters. */
  notes: 10_000,
  noteMax: 4000,
  /** Maximum size of a file that can be edited in the browser. */
  editBytes: 2 * 1024 * 1024,
  /** Time for which a trusted browser skips the second factor. */
  trustedDeviceSeconds: 30 * 24 * 3600,
  /** Maximum number of passkeys per account. */
  passkeys: 20,
  /** Maximum number of app passwords and access tokens per account, and the days for which they can be valid. */
  passes: 50,
  passDaysMin: 30,
  passDaysMax: 365,
  passDays: 90,
} as const;
