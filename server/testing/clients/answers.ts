import {
  flag,
  list,
  mapOf,
  maybe,
  nothing,
  numeric,
  required,
  structure,
  text,
  time,
  timeOrNone,
  whole,
  word,
} from './strict.ts';

// Responses as third-party programs decode them. Where two programs differ, the stricter rule applies.

const link = structure({ url: text, token: text, expire: time, type: text });

export const media = structure({
  media_id: text,
  media_name: text,
  video: maybe({
    height: whole,
    width: whole,
    duration: whole,
    bit_rate: whole,
    frame_rate: whole,
    video_codec: text,
    audio_codec: text,
    video_type: text,
  }),
  link: maybe({ url: text, token: text, expire: time, type: text }),
  need_more_quota: flag,
  vip_types: list(text),
  redirect_link: text,
  icon_link: text,
  is_default: flag,
  priority: whole,
  is_origin: flag,
  resolution_name: text,
  is_visible: flag,
  category: text,
});

export const file = structure({
  kind: word('drive#file', 'drive#folder'),
  id: required(text),
  parent_id: text,
  name: required(text),
  user_id: text,
  size: numeric,
  revision: numeric,
  file_extension: text,
  mime_type: text,
  starred: flag,
  web_content_link: text,
  created_time: time,
  modified_time: time,
  user_modified_time: timeOrNone,
  icon_link: text,
  thumbnail_link: text,
  md5_checksum: text,
  hash: text,
  // Some programs crash on a file without this object.
  links: required(mapOf(link)),
  phase: text,
  audit: maybe({ status: text, message: text, title: text }),
  medias: list(media),
  trashed: flag,
  delete_time: timeOrNone,
  original_url: text,
  params: mapOf(text),
  original_file_index: whole,
  space: text,
  apps: list(
    structure({
      id: text,
      name: text,
      access: list(text),
      link: text,
      redirect_link: text,
      vip_types: list(text),
      need_more_quota: flag,
      icon_link: text,
      is_default: flag,
      params: required(mapOf(text)),
      category_ids: list(text),
      ad_scene_type: whole,
      space: text,
      links: required(mapOf(link)),
    }),
  ),
  writable: flag,
  folder_type: text,
  collection: text,
  sort_name: text,
  spell_name: list(text),
  tags: list(structure({ name: text, type: whole })),
  reference_resource: nothing,
});

export const fileList = structure({
  kind: word('drive#fileList'),
  next_page_token: text,
  files: list(file),
  version: text,
  version_outdated: flag,
  sync_time: time,
});

/** Programs that read tasks expect an array of strings for the tags. */
const reference = maybe({
  '@type': text,
  kind: text,
  id: text,
  parent_id: text,
  name: text,
  size: numeric,
  mime_type: text,
  icon_link: text,
  hash: text,
  phase: text,
  thumbnail_link: text,
  params: mapOf(text),
  space: text,
  medias: list(media),
  starred: flag,
  tags: list(text),
});

export const task = structure({
  kind: word('drive#task'),
  id: required(text),
  name: text,
  type: text,
  user_id: text,
  statuses: list(text),
  status_size: whole,
  params: mapOf(text),
  file_id: text,
  file_name: text,
  file_size: numeric,
  message: text,
  created_time: time,
  updated_time: time,
  third_task_id: text,
  phase: word(
    'PHASE_TYPE_PENDING',
    'PHASE_TYPE_RUNNING',
    'PHASE_TYPE_PAUSED',
    'PHASE_TYPE_ERROR',
    'PHASE_TYPE_COMPLETE',
  ),
  progress: whole,
  icon_link: text,
  callback: text,
  reference_resource: reference,
  space: text,
});

export const taskList = structure({ tasks: list(task), next_page_token: text, expires_in: whole });
export const taskRef = structure({ task_id: required(text) });

const credentials = structure({
  access_key_id: required(text),
  access_key_secret: required(text),
  bucket: required(text),
  endpoint: required(text),
  expiration: time,
  key: required(text),
  security_token: required(text),
});

export const ticket = structure({
  upload_type: text,
  file,
  task: maybe({ id: required(text), phase: text, progress: whole, file_id: text, file_name: text }),
  resumable: maybe({ kind: text, provider: text, params: credentials }),
  form: maybe({ headers: mapOf(text), kind: text, method: text, multi_parts: mapOf(text), url: text }),
});

export const folderMade = structure({ upload_type: text, file, task: nothing });
/** Programs that read this expect a string for the file of a link: they fail to decode anything but null. */
export const fetchBegun = structure({
  upload_type: word('UPLOAD_TYPE_URL'),
  url: structure({ kind: text }),
  file: nothing,
  task,
});

export const captcha = structure({ captcha_token: required(text), expires_in: required(whole), url: text });
export const tokens = structure({
  token_type: word('Bearer'),
  access_token: required(text),
  refresh_token: required(text),
  expires_in: required(whole),
  sub: required(text),
});

export const about = structure({
  kind: word('drive#about'),
  quota: structure({
    kind: text,
    limit: required(numeric),
    usage: required(numeric),
    usage_in_trash: required(numeric),
    play_times_limit: text,
    play_times_usage: text,
    is_unlimited: flag,
    complimentary: text,
  }),
  expires_at: text,
  quotas: required(mapOf((value) => value)),
  user_type: whole,
});

export const vip = structure({
  result: word('ACCEPTED'),
  message: text,
  redirect_uri: text,
  data: structure({ expire: timeOrNone, status: text, type: text, user_id: required(text) }),
});
export const profile = structure({
  sub: required(text),
  name: text,
  picture: text,
  email: text,
  phone_number: text,
  password: text,
  status: text,
  created_at: time,
  password_updated_at: timeOrNone,
  providers: list(structure({ id: text, provider_user_id: text, name: text })),
});

export const shareMade = structure({
  share_id: required(text),
  share_url: required(text),
  pass_code: text,
  share_text: text,
  share_list: list((value) => value),
});

/** Files of a share can't be displayed without an id, a kind, a name, a time and a size. */
const sharedFile = structure({
  id: required(text),
  kind: word('drive#file', 'drive#folder'),
  name: required(text),
  modified_time: time,
  size: text,
  thumbnail_link: text,
  web_content_link: text,
  medias: list(media),
  share_id: text,
});
const shareStatus = { share_status: required(text), share_status_text: text };
export const shareOpening = structure({
  ...shareStatus,
  file_num: text,
  files: list(sharedFile),
  pass_code_token: text,
  next_page_token: text,
  user_info: structure({ user_id: text, nickname: text, avatar: text }),
});
export const shareDetail = structure({ ...shareStatus, files: list(sharedFile), next_page_token: text });
export const shareFile = structure({ ...shareStatus, file_info: sharedFile });

export const decompressed = structure({
  status: text,
  status_text: text,
  task_id: text,
  files_num: whole,
  redirect_link: text,
});

export const failure = structure({
  error: required(text),
  error_code: required(whole),
  error_url: text,
  error_description: text,
  error_details: list(
    structure({
      '@type': required(text),
      reason: text,
      domain: text,
      metadata: mapOf(text),
      locale: text,
      message: text,
    }),
  ),
});
