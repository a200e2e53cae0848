import { createHash } from 'node:crypto';
import * as answers from './answers.ts';
import type { Decode } from './strict.ts';
import { ask, Refused, type Ask, type Line } from './wire.ts';

const USER = 'user.mypikpak.com';
const DRIVE = 'api-drive.mypikpak.com';
const CLIENT = 'YNxT9w7GMdWvEOKa';
const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36';
const PATIENCE = 3;

/**
 * Sends the requests of PikPakAPI: never with a client id, with a captcha token only to sign in, and without
 * a device id when it signs in.
 */
export async function connectPikPakApi(
  line: Line,
  { username, password }: { username: string; password: string },
) {
  const device = createHash('md5').update(`${username}${password}`).digest('hex');
  let tokens: { access_token: string; refresh_token: string } | undefined;
  const headers = (): Record<string, string> => ({
    'user-agent': AGENT,
    'content-type': 'application/json; charset=utf-8',
    'x-device-id': device,
    ...(tokens ? { authorization: `Bearer ${tokens.access_token}` } : {}),
  });

  async function refresh(): Promise<void> {
    const body = { client_id: CLIENT, refresh_token: tokens!.refresh_token, grant_type: 'refresh_token' };
    const asked = { method: 'POST', host: USER, path: '/v1/auth/token', headers: headers(), body };
    tokens = await ask(line, 'refresh', asked, answers.tokens);
  }

  /** Error 16 refreshes the token and repeats the request. */
  async function call<T>(
    name: string,
    asked: Omit<Ask, 'host' | 'headers'>,
    decode: Decode<T>,
    tries = 0,
  ): Promise<T> {
    try {
      return await ask(line, name, { host: DRIVE, ...asked, headers: headers() }, decode);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 16 || tries >= PATIENCE) throw error;
      await refresh();
      return call(name, asked, decode, tries + 1);
    }
  }
  const anything: Decode<Record<string, unknown>> = (value) => value as Record<string, unknown>;
  const post = (name: string, path: string, body: object) =>
    call(name, { method: 'POST', path: `/drive/v1/${path}`, body }, anything);

  const login = { email: username };
  const action = `POST:https://${USER}/v1/auth/signin`;
  const { captcha_token: captcha } = await ask(
    line,
    'captcha',
    {
      method: 'POST',
      host: USER,
      path: '/v1/shield/captcha/init',
      headers: headers(),
      body: { client_id: CLIENT, action, device_id: device, meta: login },
    },
    answers.captcha,
  );
  tokens = await ask(
    line,
    'sign-in',
    {
      method: 'POST',
      host: USER,
      path: '/v1/auth/signin',
      // JSON text that is declared as a form.
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'python-httpx/0.28.1' },
      body: { client_id: CLIENT, client_secret: '', password, username, captcha_token: captcha },
    },
    answers.tokens,
  );

  return {
    refresh,
    /** Replaces the access token by an invalid one, as if it had expired. */
    forgetAccess: () => void (tokens = { ...tokens!, access_token: 'nonsense' }),
    list: (parent: string, filters: object = {}) =>
      call(
        'list',
        {
          method: 'GET',
          path: '/drive/v1/files',
          query: {
            parent_id: parent,
            thumbnail_size: 'SIZE_MEDIUM',
            limit: '100',
            with_audit: 'true',
            page_token: '',
            // With spaces, like Python's JSON encoder.
            filters: JSON.stringify(
              { trashed: { eq: false }, phase: { eq: 'PHASE_TYPE_COMPLETE' }, ...filters },
              undefined,
              1,
            ).replaceAll('\n', ' '),
          },
        },
        answers.fileList,
      ),
    mkdir: (name: string, parent: string | null = null) =>
      call(
        'mkdir',
        { method: 'POST', path: '/drive/v1/files', body: { kind: 'drive#folder', name, parent_id: parent } },
        answers.folderMade,
      ),
    star: (ids: string[]) => post('star', 'files:star', { ids }),
    moveToRoot: (ids: string[]) => post('batchMove', 'files:batchMove', { ids, to: {} }),
    forget: (ids: string[]) =>
      call(
        'forget',
        {
          method: 'DELETE',
          path: `/drive/v1/tasks?${ids.map((id) => `task_ids=${id}`).join('&')}&delete_files=false`,
        },
        anything,
      ),
    events: () =>
      call(
        'events',
        {
          method: 'GET',
          path: '/drive/v1/events',
          query: { thumbnail_size: 'SIZE_MEDIUM', limit: '100', next_page_token: '' },
        },
        anything,
      ),
    invite: () => call('invite', { method: 'GET', path: '/vip/v1/activity/inviteCode' }, anything),
    transfers: () =>
      call(
        'transfers',
        { method: 'GET', path: '/vip/v1/quantity/list', query: { type: 'transfer' } },
        anything,
      ),
    vip: () => call('vip', { method: 'GET', path: '/drive/v1/privilege/vip' }, answers.vip),
    openShare: (id: string) =>
      call(
        'share',
        {
          method: 'GET',
          path: '/drive/v1/share',
          query: {
            limit: '100',
            thumbnail_size: 'SIZE_LARGE',
            order: '3',
            share_id: id,
            parent_id: '',
            pass_code: '',
          },
        },
        answers.shareOpening,
      ),
    restore: (id: string, token: string, files: string[]) =>
      post('restore', 'share/restore', { share_id: id, pass_code_token: token, file_ids: files }),
  };
}
