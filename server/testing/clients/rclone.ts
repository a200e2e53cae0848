import { createHash, randomBytes } from 'node:crypto';
import { gcidBlockSize } from '@bowerbird/contract';
import { completionDocument, signV4 } from '../uploading.ts';
import * as answers from './answers.ts';
import { mapOf } from './strict.ts';
import { ask, Refused, send, timeOf, type Ask, type Line } from './wire.ts';

const USER = 'user.mypikpak.com';
const DRIVE = 'api-drive.mypikpak.com';
const OBJECTS = 'mypikpak.com';
const CLIENT = 'YUMx5nI8ZU8Ap8pm';
const VERSION = '2.0.0';
const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:129.0) Gecko/20100101 Firefox/129.0';
/** Tokens that expire sooner than this are renewed before they are used. */
const MARGIN_MS = 10_000;

export const gcidOf = (bytes: Buffer): string => {
  const block = gcidBlockSize(bytes.length);
  const sum = createHash('sha1');
  for (let at = 0; at < bytes.length; at += block)
    sum.update(
      createHash('sha1')
        .update(bytes.subarray(at, at + block))
        .digest(),
    );
  return sum.digest('hex').toUpperCase();
};

/**
 * Sends the requests of rclone's backend: the same calls in the same order with the same fields, and with no
 * more patience.
 */
export async function connectRclone(
  line: Line,
  { username, password }: { username: string; password: string },
) {
  const device = randomBytes(16).toString('hex');
  let captchaToken = '';
  let captchaEnds = 0;
  let tokens: { access_token: string; refresh_token: string; expires_in: number } | undefined;
  let accessEnds = 0;

  const isOver = (end: number): boolean => end - timeOf(line) < MARGIN_MS;

  const headers = (): Record<string, string> => ({
    'user-agent': AGENT,
    referer: 'https://mypikpak.com/',
    'x-client-id': CLIENT,
    'x-client-version': VERSION,
    'x-device-id': device,
    ...(captchaToken ? { 'x-captcha-token': captchaToken } : {}),
    ...(tokens ? { authorization: `Bearer ${tokens.access_token}` } : {}),
  });

  async function newCaptcha(action: string, meta: Record<string, string>): Promise<void> {
    const { captcha_token: token, expires_in: seconds } = await ask(
      line,
      'captcha',
      {
        method: 'POST',
        host: USER,
        path: '/v1/shield/captcha/init',
        headers: headers(),
        body: { action, captcha_token: captchaToken, client_id: CLIENT, device_id: device, meta },
      },
      answers.captcha,
    );
    if (seconds === 0 || token === '') throw new Error("couldn't get captcha token");
    captchaToken = token;
    captchaEnds = timeOf(line) + seconds * 1000;
  }

  function keep(answer: ReturnType<typeof answers.tokens>): void {
    tokens = answer;
    accessEnds = timeOf(line) + answer.expires_in * 1000;
  }

  const userOf = (token: string): string =>
    (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as { sub?: string })
      .sub ?? '';

  const signedMeta = (): Record<string, string> => {
    const timestamp = String(timeOf(line));
    const sign = createHash('md5')
      .update(`${CLIENT}${VERSION}mypikpak.com${device}${timestamp}`)
      .digest('hex');
    return {
      captcha_sign: `1.${sign}`,
      client_version: VERSION,
      package_name: 'mypikpak.com',
      timestamp,
      user_id: userOf(tokens?.access_token ?? ''),
    };
  };

  async function call<T>(
    name: string,
    asked: Omit<Ask, 'host' | 'headers'> & { host?: string },
    decode: Parameters<typeof ask<T>>[3],
  ): Promise<T> {
    if (isOver(accessEnds)) await renew();
    // An expired token is still sent with the request for the next one, in the header and in the body.
    if (captchaToken === '' || isOver(captchaEnds))
      await newCaptcha(`${asked.method}:${asked.path}`, signedMeta());
    try {
      return await ask(line, name, { host: DRIVE, ...asked, headers: headers() }, decode);
    } catch (error) {
      if (!(error instanceof Refused && error.id === 'captcha_invalid' && error.code === 9)) throw error;
      await newCaptcha(`${asked.method}:${asked.path}`, signedMeta());
      return ask(line, name, { host: DRIVE, ...asked, headers: headers() }, decode);
    }
  }

  /** Waits as long as rclone does, which is a few seconds. */
  async function taskEnd(id: string): Promise<void> {
    for (let tries = 0; tries < 10; tries++) {
      await new Promise((resolve) => setTimeout(resolve, tries === 0 ? 50 : 1000));
      const { phase } = await call('task', { method: 'GET', path: `/drive/v1/tasks/${id}` }, answers.task);
      if (phase === 'PHASE_TYPE_COMPLETE') return;
    }
    throw new Error('the task did not end in time');
  }

  async function batch(action: string, ids: readonly string[], to?: string): Promise<void> {
    const { task_id: id } = await call(
      action,
      {
        method: 'POST',
        path: `/drive/v1/files:${action}`,
        body: { ids, ...(to === undefined ? {} : { to: { parent_id: to } }) },
      },
      answers.taskRef,
    );
    await taskEnd(id);
  }

  async function s3(
    ticket: Parameters<typeof signV4>[0],
    method: string,
    query: string,
    body?: Buffer | string,
  ): Promise<{ status: number; text: string; etag: string }> {
    const host = `${ticket.bucket}.${OBJECTS}`;
    const signed = signV4(ticket, { method, path: `/${ticket.key}`, query, host, at: timeOf(line) });
    const reply = await send(line.origin, {
      method,
      host,
      path: `/${ticket.key}${query && `?${query}`}`,
      headers: signed,
      ...(body === undefined ? {} : { body: Buffer.from(body as string) }),
    });
    return { status: reply.status, text: reply.body.toString(), etag: String(reply.headers['etag'] ?? '') };
  }

  async function sendBytes(ticket: Parameters<typeof signV4>[0], bytes: Buffer, cut: number): Promise<void> {
    if (bytes.length <= cut) {
      const put = await s3(ticket, 'PUT', '', bytes);
      if (put.status !== 200) throw new Error(put.text);
      return;
    }
    const begun = await s3(ticket, 'POST', 'uploads=');
    const id = /<UploadId>([^<]+)</.exec(begun.text)![1]!;
    const etags: Record<number, string> = {};
    for (let at = 0, number = 1; at < bytes.length; at += cut, number++)
      etags[number] = (
        await s3(ticket, 'PUT', `partNumber=${number}&uploadId=${id}`, bytes.subarray(at, at + cut))
      ).etag;
    const completed = await s3(ticket, 'POST', `uploadId=${id}`, completionDocument(etags));
    if (!completed.text.includes('<CompleteMultipartUploadResult')) throw new Error(completed.text);
  }

  async function signIn(): Promise<void> {
    tokens = undefined;
    await newCaptcha('POST:/v1/auth/signin', { username });
    keep(
      await ask(
        line,
        'sign-in',
        {
          method: 'POST',
          host: USER,
          path: '/v1/auth/signin',
          headers: headers(),
          body: { username, password, client_id: CLIENT },
        },
        answers.tokens,
      ),
    );
  }

  /** Signs in with the password again if the refresh token is no longer valid. */
  async function renew(): Promise<void> {
    try {
      await client.refresh();
    } catch (error) {
      if (!(error instanceof Refused && error.id === 'invalid_grant')) throw error;
      await signIn();
    }
  }

  await signIn();
  // The next process starts with only the tokens of the account.
  captchaToken = '';

  const client = {
    /** The OAuth library sends a form without a client secret. */
    async refresh(): Promise<void> {
      const form = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: tokens!.refresh_token,
        client_id: CLIENT,
      });
      keep(
        await ask(
          line,
          'refresh',
          {
            method: 'POST',
            host: USER,
            path: '/v1/auth/token',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: Buffer.from(form.toString()),
          },
          answers.tokens,
        ),
      );
    },

    async list(folder: string, { trashed = false }: { trashed?: boolean | undefined } = {}) {
      const files: ReturnType<typeof answers.file>[] = [];
      let token = '';
      do {
        const page = await call(
          'list',
          {
            method: 'GET',
            path: '/drive/v1/files',
            query: {
              thumbnail_size: 'SIZE_MEDIUM',
              limit: '500',
              with_audit: 'true',
              ...(folder ? { parent_id: trashed ? '*' : folder } : trashed ? { parent_id: '*' } : {}),
              filters: JSON.stringify({ phase: { eq: 'PHASE_TYPE_COMPLETE' }, trashed: { eq: trashed } }),
              ...(token ? { page_token: token } : {}),
            },
          },
          answers.fileList,
        );
        files.push(...page.files);
        token = page.files.length > 0 ? page.next_page_token : '';
      } while (token);
      return files;
    },

    async mkdir(parent: string, name: string): Promise<string> {
      const { file } = await call(
        'mkdir',
        {
          method: 'POST',
          path: '/drive/v1/files',
          body: { kind: 'drive#folder', name, parent_id: parent, folder_type: '', upload_type: '' },
        },
        answers.folderMade,
      );
      return file.id;
    },

    /** `cut` is the size above which a file is uploaded in parts, and the size of each part. */
    async put(parent: string, name: string, bytes: Buffer, cut = 200 * 2 ** 20): Promise<string> {
      if (bytes.length > 0)
        await call(
          'cid',
          {
            method: 'GET',
            path: '/drive/v1/resource/cid',
            query: {
              cid: createHash('sha1').update(bytes).digest('hex').toUpperCase(),
              file_size: String(bytes.length),
            },
          },
          mapOf((value) => value),
        );
      const made = await call(
        bytes.length === 0 ? 'empty-upload' : 'upload',
        {
          method: 'POST',
          path: '/drive/v1/files',
          body: {
            kind: 'drive#file',
            name,
            parent_id: parent,
            ...(bytes.length > 0 ? { size: bytes.length } : {}),
            hash: gcidOf(bytes),
            upload_type: 'UPLOAD_TYPE_RESUMABLE',
            resumable: { provider: 'PROVIDER_ALIYUN' },
            folder_type: 'NORMAL',
          },
        },
        answers.ticket,
      );
      if (made.file.name !== name) throw new Error(`the file was renamed to ${made.file.name}`);
      if (made.file.phase === 'PHASE_TYPE_COMPLETE') return made.file.id;
      await sendBytes(made.resumable!.params, bytes, cut);
      await taskEnd(made.task!.id);
      return made.file.id;
    },

    async get(id: string, range?: string): Promise<Buffer> {
      const file = await call('get', { method: 'GET', path: `/drive/v1/files/${id}` }, answers.file);
      const url = new URL(file.links['application/octet-stream']!.url);
      if (!(Number(url.searchParams.get('expire')) > timeOf(line) / 1000 + 10))
        throw new Error('the link has expired');
      const reply = await send(line.origin, {
        method: 'GET',
        host: url.host,
        path: url.pathname + url.search,
        headers: { ...headers(), ...(range ? { range } : {}) },
      });
      if (reply.status !== (range ? 206 : 200)) throw new Error(`the link returned ${reply.status}`);
      return reply.body;
    },

    rename: (id: string, name: string) =>
      call(
        'rename',
        {
          method: 'PATCH',
          path: `/drive/v1/files/${id}`,
          body: {
            name,
            created_time: '0001-01-01T00:00:00Z',
            reference_events: null,
            tags: null,
            spell_name: null,
          },
        },
        answers.file,
      ),
    move: (ids: string[], to: string) => batch('batchMove', ids, to),
    copy: (ids: string[], to: string) => batch('batchCopy', ids, to),
    trash: (ids: string[]) => batch('batchTrash', ids),
    remove: (ids: string[]) => batch('batchDelete', ids),
    async cleanup(): Promise<void> {
      const asked = { method: 'PATCH', path: '/drive/v1/files/trash:empty' };
      await taskEnd((await call('cleanup', asked, answers.taskRef)).task_id);
    },
    about: () => call('about', { method: 'GET', path: '/drive/v1/about' }, answers.about),
    link: (id: string) =>
      call(
        'share',
        {
          method: 'POST',
          path: '/drive/v1/share',
          body: {
            file_ids: [id],
            share_to: 'publiclink',
            expiration_days: -1,
            pass_code_option: 'NOT_REQUIRED',
          },
        },
        answers.shareMade,
      ),
    async userInfo() {
      const user = await call('me', { method: 'GET', host: USER, path: '/v1/user/me' }, answers.profile);
      return {
        user,
        vip: await call('vip', { method: 'GET', path: '/drive/v1/privilege/vip' }, answers.vip),
      };
    },
    addUrl: (url: string, parent: string) =>
      call(
        'addurl',
        {
          method: 'POST',
          path: '/drive/v1/files',
          body: {
            kind: 'drive#file',
            parent_id: parent,
            upload_type: 'UPLOAD_TYPE_URL',
            url: { url },
            folder_type: parent ? '' : 'DOWNLOAD',
          },
        },
        answers.fetchBegun,
      ),
    decompress: (id: string, gcid: string, password = '') =>
      call(
        'decompress',
        {
          method: 'POST',
          path: '/decompress/v1/decompress',
          body: { gcid, password, file_id: id, files: [], default_parent: true },
        },
        answers.decompressed,
      ),
    taskEnd,
  };
  return client;
}
