/**
 * The only catalogue of errors. Number and HTTP status are part of the protocol (docs/errors.md is generated from
 * here); the text of an error is the message `error.<id>` in the reader's language.
 *
 * `wire` is the envelope's `error` if clients know a broader identifier; the reason in ErrorInfo stays exact.
 *
 * Business errors have number 3 rather than the historical 9, because clients interpret every 9 as "captcha expired"
 * and loop.
 */
export const ERRORS = {
  cancelled: { code: 1, status: 499 },
  unknown: { code: 2, status: 500 },
  invalid_argument: { code: 3, status: 400 },
  file_name_empty: { code: 3, status: 400 },
  file_name_invalid: { code: 3, status: 400, wire: 'invalid_argument' },
  file_name_too_long: { code: 3, status: 400 },
  file_duplicated_name: { code: 3, status: 400 },
  tag_name_taken: { code: 3, status: 400 },
  file_rename_to_same_name: { code: 3, status: 400 },
  file_move_or_copy_to_cur: { code: 3, status: 400 },
  file_move_into_itself: { code: 3, status: 400 },
  person_is_owner: { code: 3, status: 400 },
  file_restore_own: { code: 3, status: 400 },
  share_status_prohibited: { code: 3, status: 400 },
  share_empty: { code: 3, status: 400 },
  upload_size_mismatch: { code: 3, status: 400 },
  link_unsupported: { code: 3, status: 400, wire: 'task_url_resolve_error' },
  torrent_invalid: { code: 3, status: 400, wire: 'task_url_resolve_error' },
  source_not_a_file: { code: 3, status: 400 },
  source_without_file: { code: 3, status: 400 },
  source_encoding_unknown: { code: 3, status: 400 },
  cannot_pack_empty_folder: { code: 3, status: 400 },
  archive_invalid: { code: 3, status: 400 },
  unzip_password_required: { code: 3, status: 400 },
  unzip_password_incorrect: { code: 3, status: 400 },
  feed_invalid: { code: 3, status: 400, wire: 'task_url_resolve_error' },
  invalid_activation_code: { code: 3, status: 400 },
  activation_code_reused: { code: 3, status: 400 },
  activation_code_used_up: { code: 3, status: 400, wire: 'activation_code_reused' },
  activation_code_not_started: { code: 3, status: 400, wire: 'invalid_activation_code' },
  activation_code_ended: { code: 3, status: 400, wire: 'invalid_activation_code' },
  activation_code_new_accounts: { code: 3, status: 400, wire: 'invalid_activation_code' },
  activation_code_free_plan: { code: 3, status: 400, wire: 'invalid_activation_code' },
  invite_code_for_new_members: { code: 3, status: 400, wire: 'invalid_activation_code' },
  activity_not_running: { code: 3, status: 400 },
  email_taken: { code: 6, status: 409 },
  phone_taken: { code: 6, status: 409 },
  password_too_weak: { code: 3, status: 400 },
  deadline_exceeded: { code: 4, status: 504 },
  source_timed_out: { code: 4, status: 504 },
  not_found: { code: 5, status: 404 },
  file_not_found: { code: 5, status: 404 },
  task_not_found: { code: 5, status: 404 },
  source_not_found: { code: 5, status: 404 },
  share_not_found: { code: 5, status: 404 },
  access_not_found: { code: 5, status: 404 },
  person_not_found: { code: 5, status: 404 },
  version_not_found: { code: 5, status: 404 },
  tag_not_found: { code: 5, status: 404 },
  subscription_not_found: { code: 5, status: 404 },
  subscription_folder_gone: { code: 5, status: 404 },
  upload_not_found: { code: 5, status: 404 },
  order_plan_missing: { code: 5, status: 404 },
  already_exists: { code: 6, status: 409 },
  file_renamed_meanwhile: { code: 6, status: 409 },
  order_not_open: { code: 6, status: 409 },
  renewal_exists: { code: 6, status: 409 },
  renewal_ended: { code: 6, status: 409 },
  content_changed: { code: 6, status: 409 },
  outcome_unknown: { code: 6, status: 409 },
  access_view_only: { code: 7, status: 403 },
  access_owner_only: { code: 7, status: 403 },
  access_stays_inside: { code: 7, status: 403 },
  permission_denied: { code: 7, status: 403 },
  compensation_not_affected: { code: 7, status: 403 },
  last_operator: { code: 7, status: 403 },
  link_forbidden: { code: 7, status: 403 },
  source_denied: { code: 7, status: 403 },
  file_space_not_enough: { code: 8, status: 403 },
  resource_exhausted: { code: 8, status: 429 },
  disk_full: { code: 8, status: 507 },
  task_daily_create_limit: { code: 8, status: 403 },
  task_daily_create_limit_vip: { code: 11, status: 403 },
  task_run_nums_limit: { code: 8, status: 403 },
  task_traffic_limit: { code: 8, status: 403 },
  traffic_offline_limit: { code: 12, status: 400 },
  traffic_download_limit: { code: 12, status: 400 },
  traffic_upload_limit: { code: 12, status: 400 },
  traffic_shared_limit: { code: 12, status: 400 },
  subscription_limit: { code: 8, status: 403 },
  share_limit: { code: 8, status: 403 },
  version_limit: { code: 8, status: 403 },
  note_limit: { code: 8, status: 403 },
  pin_limit: { code: 8, status: 403 },
  tag_limit: { code: 8, status: 403 },
  tag_item_limit: { code: 8, status: 403 },
  order_limit: { code: 8, status: 403 },
  account_limit: { code: 8, status: 403 },
  verification_too_frequent: { code: 8, status: 429 },
  captcha_token_invalid: { code: 9, status: 400, wire: 'captcha_invalid' },
  too_frequent: { code: 10, status: 429 },
  operating_file_count_exceeded: { code: 11, status: 400 },
  out_of_range: { code: 11, status: 400 },
  restore_limit_reached: { code: 11, status: 403 },
  source_too_large: { code: 11, status: 403 },
  unsupported: { code: 12, status: 400 },
  transfer_encoding_unsupported: { code: 12, status: 501 },
  phone_country_unsupported: { code: 12, status: 400 },
  internal: { code: 13, status: 500 },
  unavailable: { code: 14, status: 503 },
  source_unreachable: { code: 14, status: 503 },
  source_failed: { code: 14, status: 503 },
  source_not_ready: { code: 14, status: 503 },
  torrent_no_peers: { code: 14, status: 503 },
  data_loss: { code: 15, status: 500 },
  source_changed: { code: 15, status: 500 },
  source_incomplete: { code: 15, status: 500 },
  unauthenticated: { code: 16, status: 401 },
  account_frozen: { code: 38, status: 403 },
  account_in_cancellation: { code: 50, status: 403 },
  captcha_required: { code: 4001, status: 400 },
  captcha_invalid: { code: 4002, status: 400 },
  invalid_password: { code: 4010, status: 400 },
  account_locked: { code: 4011, status: 403 },
  account_not_activated: { code: 4012, status: 403 },
  account_locked_retry: { code: 4013, status: 403 },
  verification_code_wrong: { code: 4014, status: 400 },
  second_factor_required: { code: 4015, status: 400 },
  second_factor_wrong: { code: 4016, status: 400 },
  recovery_code_wrong: { code: 4017, status: 400 },
  account_under_review: { code: 4018, status: 403 },
  third_party_failed: { code: 4019, status: 400 },
  sms_code_required: { code: 4020, status: 400 },
  password_recovery_advised: { code: 4021, status: 400 },
  invalid_account_or_password: { code: 4022, status: 400 },
  invalid_account_or_code: { code: 4023, status: 400 },
  verification_code_expired: { code: 4024, status: 400 },
  interaction_required: { code: 4031, status: 400 },
  login_required: { code: 4032, status: 400 },
  account_selection_required: { code: 4033, status: 400 },
  consent_required: { code: 4034, status: 400 },
  invalid_request_uri: { code: 4035, status: 400 },
  invalid_request_object: { code: 4036, status: 400 },
  request_not_supported: { code: 4037, status: 400 },
  request_uri_not_supported: { code: 4038, status: 400 },
  registration_not_supported: { code: 4039, status: 400 },
  authorization_pending: { code: 4050, status: 400 },
  slow_down: { code: 4051, status: 400 },
  token_expired: { code: 4052, status: 400 },
  expired_token: { code: 4052, status: 400 },
  invalid_request: { code: 4121, status: 400 },
  invalid_redirect_uri: { code: 4121, status: 400 },
  invalid_client_metadata: { code: 4121, status: 400 },
  unsupported_grant_type: { code: 4121, status: 400 },
  unauthorized_client: { code: 4122, status: 400 },
  invalid_client: { code: 4122, status: 401 },
  access_denied: { code: 4123, status: 403 },
  unsupported_response_type: { code: 4124, status: 400 },
  invalid_scope: { code: 4125, status: 400 },
  invalid_grant: { code: 4126, status: 400 },
  server_error: { code: 5026, status: 500 },
  temporarily_unavailable: { code: 5027, status: 503 },
  unreachable: { code: 8000, status: 503 },
  /** Raised by clients for failures on their own side; never sent. */
  local: { code: 8001, status: 500 },
} as const satisfies Record<string, { code: number; status: number; wire?: string }>;

export type ErrorId = keyof typeof ERRORS;

/** Entry of `details`: what went wrong, for programs (ErrorInfo) or for people (LocalizedMessage). */
export type ErrorDetail =
  | {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo';
      reason: string;
      domain: string;
      metadata: Record<string, string>;
    }
  | { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage'; locale: string; message: string };

/** Body of every response with status ≥ 400. */
export interface ErrorEnvelope {
  error: string;
  error_code: number;
  /** In the reader's language. */
  error_description: string;
  error_url: string;
  details: ErrorDetail[];
  /** The same entries under the name that clients of the drive host expect. */
  error_details: ErrorDetail[];
}

/**
 * Thrown by identifier wherever something is refused; converted to an {@link ErrorEnvelope} when it leaves the server.
 */
export class ApiFailure extends Error {
  readonly id: ErrorId;
  /** Values for the message and for programs, e.g. `{ retry_in: '30' }`. */
  readonly facts: Readonly<Record<string, string>>;
  /** Localized text as the server sent it; absent if the failure was raised in this process. */
  readonly text: string | undefined;

  constructor(id: ErrorId, facts: Record<string, string> = {}, text?: string) {
    super(text ?? id);
    this.name = 'ApiFailure';
    this.id = id;
    this.facts = facts;
    this.text = text;
  }

  get code(): number {
    return ERRORS[this.id].code;
  }

  get status(): number {
    return ERRORS[this.id].status;
  }
}

/**
 * Checks the structure rather than the class, because the class exists twice: in the server and in the bundled pages.
 */
export function isApiFailure(error: unknown): error is ApiFailure {
  return error instanceof Error && error.name === 'ApiFailure' && 'id' in error;
}

/** The value of an envelope's `error` for this failure. */
export function wireError(id: ErrorId): string {
  const entry: { readonly code: number; readonly wire?: string } = ERRORS[id];
  return entry.wire ?? id;
}

/** Numbers used by related products that have no identifier of their own here. */
const KIN: Readonly<Record<number, ErrorId>> = {
  8002: 'local',
  8003: 'local',
};
/** The most general of the errors that share a number. */
const PLAIN: Readonly<Record<number, ErrorId>> = {
  8: 'resource_exhausted',
  11: 'out_of_range',
};

/** Looks up an error by number, for servers that send identifiers we don't know; undefined for unknown numbers. */
export function errorOfCode(code: number): ErrorId | undefined {
  const named = Object.entries(ERRORS).find((entry) => entry[1].code === code);
  return KIN[code] ?? PLAIN[code] ?? (named?.[0] as ErrorId | undefined);
}

export function isErrorId(id: string): id is ErrorId {
  return Object.hasOwn(ERRORS, id);
}
