import { createHash, createHmac } from 'node:crypto';
import { completionDocument } from '../uploading.ts';
import * as answers from './answers.ts';
import { gcidOf } from './rclone.ts';
import type { Decode } from './strict.ts';
import { ask, Refused, send, timeOf, type Ask, type Line } from './wire.ts';

const USER = 'user.mypikpak.net';
const DRIVE = 'api-drive.mypikpak.net';
const ABOUT = 'api-drive.mypikpak.com';

/** Differences between the platforms that the drivers support. */
const PLATFORMS = {
  web: {
    client: 'YUMx5nI8ZU8Ap8pm',
    version: '2.0.0',
    pack: 'mypikpak.com',
    agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
  },
  android: {
    client: 'YNxT9w7GMdWvEOKa',
    version: '1.53.2',
    pack: 'com.pikcloud.pikpak',
    agent: 'ANDROID-com.pikcloud.pikpak/1.53.2 protocolVersion/200',
  },
} as const;
export type Platform = keyof typeof PLATFORMS;

const CALLBACK = 'xlaccsdk01://xbase.cloud/callback?state=harbor';
/** Number of repetitions after which a test reports a loop; the drivers themselves never stop. */
const PATIENCE = 3;
const PAGE = '100';
const FILTERS = JSON.stringify({ phase: { eq: 'PHASE_TYPE_COMPLETE' }, trashed: { eq: false } });

function meta(platform: Platform, device: string, user: string, now: number): Record<string, string> {
  const { client, version, pack } = PLATFORMS[platform];
  const timestamp = String(now);
  const sign = createHash('md5').update(`${client}${version}${pack}${device}${timestamp}`).digest('hex');
  return { captcha_sign: `1.${sign}`, client_version: version, package_name: pack, timestamp, user_id: user };
}

/** Sends the requests of OpenList's driver for a drive. */
export async function connectOpenList(
  line: Line,
  { username, password, platform = 'web' }: { username: string; password: string; platform?: Platform },
) {
  const { client: clientId, agent } = PLATFORMS[platform];
  const device = createHash('md5')
    .update(username + password)
    .digest('hex');
  let captchaToken = '';
  let tokens: { access_token: string; refresh_token: string; sub: string } | undefined;

  const headers = (): Record<string, string> => ({
    'user-agent': agent,
    'x-device-id': device,
    'x-captcha-token': captchaToken,
    ...(tokens ? { authorization: `Bearer ${tokens.access_token}` } : {}),
  });

  async function newCaptcha(action: string, given: Record<string, string>): Promise<void> {
    const answer = await ask(
      line,
      'captcha',
      {
        method: 'POST',
        host: USER,
        path: '/v1/shield/captcha/init',
        query: { client_id: clientId },
        headers: headers(),
        body: {
          action,
          captcha_token: captchaToken,
          client_id: clientId,
          device_id: device,
          meta: given,
          redirect_uri: CALLBACK,
        },
      },
      answers.captcha,
    );
    if (answer.url !== '') throw new Error(`need verify: ${answer.url}`);
    captchaToken = answer.captcha_token;
  }

  /**
   * Error 16 refreshes the token, any error 9 requests another captcha token; the drivers repeat both
   * forever.
   */
  async function call<T>(
    name: string,
    asked: Omit<Ask, 'host' | 'headers'> & { host?: string },
    decode: Decode<T>,
    tries = 0,
  ): Promise<T> {
    try {
      return await ask(line, name, { host: DRIVE, ...asked, headers: headers() }, decode);
    } catch (error) {
      if (!(error instanceof Refused) || tries >= PATIENCE) throw error;
      if ([4122, 4121, 16].includes(error.code)) await renew();
      else if (error.code === 9)
        await newCaptcha(`${asked.method}:${asked.path}`, meta(platform, device, tokens!.sub, timeOf(line)));
      else throw error;
      return call(name, asked, decode, tries + 1);
    }
  }

  /**
   * Like the driver's SDK: the bucket is part of the host, or of the path if the endpoint is an IP address;
   * the key is escaped.
   */
  async function oss(
    params: {
      access_key_id: string;
      access_key_secret: string;
      security_token: string;
      bucket: string;
      endpoint: string;
      key: string;
    },
    method: string,
    resource: string,
    body?: Buffer,
  ): Promise<{ status: number; text: string; etag: string }> {
    const endpoint = platform === 'android' ? 'mypikpak.net' : params.endpoint;
    const isAddress = /^\d+\.\d+\.\d+\.\d+(:\d+)?$/.test(endpoint);
    const key = encodeURIComponent(params.key);
    const date = new Date(timeOf(line)).toUTCString();
    const own = { 'x-oss-security-token': params.security_token };
    const type = body ? 'application/octet-stream' : '';
    const signed = [
      method,
      '',
      type,
      date,
      `x-oss-security-token:${params.security_token}\n/${params.bucket}/${params.key}${resource}`,
    ].join('\n');
    const signature = createHmac('sha1', params.access_key_secret).update(signed).digest('base64');
    const reply = await send(line.origin, {
      method,
      host: isAddress ? endpoint : `${params.bucket}.${endpoint}`,
      path: `${isAddress ? `/${params.bucket}` : ''}/${key}${resource}`,
      headers: {
        ...own,
        date,
        ...(type ? { 'content-type': type } : {}),
        authorization: `OSS ${params.access_key_id}:${signature}`,
      },
      ...(body ? { body } : {}),
    });
    return { status: reply.status, text: reply.body.toString(), etag: String(reply.headers['etag'] ?? '') };
  }

  const empty: Decode<unknown> = (value) => value;
  const client = {
    async refresh(): Promise<void> {
      tokens = await ask(
        line,
        'refresh',
        {
          method: 'POST',
          host: USER,
          path: '/v1/auth/token',
          query: { client_id: clientId },
          headers: { 'user-agent': '' },
          body: {
            client_id: clientId,
            client_secret: '',
            grant_type: 'refresh_token',
            refresh_token: tokens!.refresh_token,
          },
        },
        answers.tokens,
      );
    },

    async list(parent: string) {
      const files: ReturnType<typeof answers.file>[] = [];
      let token = 'first';
      while (token !== '') {
        if (token === 'first') token = '';
        const page = await call(
          'list',
          {
            method: 'GET',
            path: '/drive/v1/files',
            query: {
              parent_id: parent,
              thumbnail_size: 'SIZE_LARGE',
              with_audit: 'true',
              limit: PAGE,
              filters: FILTERS,
              page_token: token,
            },
          },
          answers.fileList,
        );
        files.push(...page.files);
        token = page.next_page_token;
      }
      return files;
    },

    async link(id: string): Promise<string> {
      const file = await call(
        'link',
        {
          method: 'GET',
          path: `/drive/v1/files/${id}`,
          query: { _magic: '2021', usage: 'FETCH', thumbnail_size: 'SIZE_LARGE' },
        },
        answers.file,
      );
      return file.web_content_link;
    },

    mkdir: (parent: string, name: string) =>
      call(
        'mkdir',
        { method: 'POST', path: '/drive/v1/files', body: { kind: 'drive#folder', parent_id: parent, name } },
        empty,
      ),
    move: (id: string, to: string) =>
      call(
        'batchMove',
        { method: 'POST', path: '/drive/v1/files:batchMove', body: { ids: [id], to: { parent_id: to } } },
        empty,
      ),
    copy: (id: string, to: string) =>
      call(
        'batchCopy',
        { method: 'POST', path: '/drive/v1/files:batchCopy', body: { ids: [id], to: { parent_id: to } } },
        empty,
      ),
    rename: (id: string, name: string) =>
      call('rename', { method: 'PATCH', path: `/drive/v1/files/${id}`, body: { name } }, empty),
    remove: (id: string) =>
      call('batchTrash', { method: 'POST', path: '/drive/v1/files:batchTrash', body: { ids: [id] } }, empty),

    /** `cut` is the size above which a file is uploaded in parts, and the size of each part. */
    async put(parent: string, name: string, bytes: Buffer, cut = 10 * 2 ** 20): Promise<void> {
      const made = await call(
        'upload',
        {
          method: 'POST',
          path: '/drive/v1/files',
          body: {
            kind: 'drive#file',
            name,
            size: bytes.length,
            hash: gcidOf(bytes),
            upload_type: 'UPLOAD_TYPE_RESUMABLE',
            objProvider: { provider: 'UPLOAD_TYPE_UNKNOWN' },
            parent_id: parent,
            folder_type: 'NORMAL',
          },
        },
        answers.ticket,
      );
      if (!made.resumable) return;
      const { params } = made.resumable;
      if (bytes.length <= cut) {
        const put = await oss(params, 'PUT', '', bytes);
        if (put.status !== 200) throw new Error(put.text);
        return;
      }
      const id = /<UploadId>([^<]+)</.exec((await oss(params, 'POST', '?uploads')).text)![1]!;
      const etags: Record<number, string> = {};
      for (let at = 0, number = 1; at < bytes.length; at += cut, number++)
        etags[number] = (
          await oss(params, 'PUT', `?partNumber=${number}&uploadId=${id}`, bytes.subarray(at, at + cut))
        ).etag;
      const done = await oss(params, 'POST', `?uploadId=${id}`, Buffer.from(completionDocument(etags)));
      if (done.status !== 200) throw new Error(done.text);
    },

    details: () => call('about', { method: 'GET', host: ABOUT, path: '/drive/v1/about' }, answers.about),

    fetch: (url: string, parent: string) =>
      call(
        'fetch',
        {
          method: 'POST',
          path: '/drive/v1/files',
          body: {
            kind: 'drive#file',
            name: '',
            upload_type: 'UPLOAD_TYPE_URL',
            url: { url },
            parent_id: parent,
            folder_type: '',
          },
        },
        answers.fetchBegun,
      ),
    tasks: () =>
      call(
        'tasks',
        {
          method: 'GET',
          path: '/drive/v1/tasks',
          query: {
            type: 'offline',
            thumbnail_size: 'SIZE_SMALL',
            limit: '10000',
            page_token: '',
            with: 'reference_resource',
            filters: JSON.stringify({
              phase: { in: 'PHASE_TYPE_RUNNING,PHASE_TYPE_ERROR,PHASE_TYPE_COMPLETE,PHASE_TYPE_PENDING' },
            }),
          },
        },
        answers.taskList,
      ),
    forget: (ids: string[]) =>
      call(
        'forget',
        {
          method: 'DELETE',
          path: '/drive/v1/tasks',
          query: { task_ids: ids.join(','), delete_files: 'false' },
        },
        empty,
      ),
  };

  const login = /@/.test(username) ? { email: username } : { username };
  async function signIn(): Promise<void> {
    await newCaptcha('POST:/v1/auth/signin', login);
    tokens = await ask(
      line,
      'sign-in',
      {
        method: 'POST',
        host: USER,
        path: '/v1/auth/signin',
        query: { client_id: clientId },
        headers: headers(),
        body: { captcha_token: captchaToken, client_id: clientId, client_secret: '', username, password },
      },
      answers.tokens,
    );
    await newCaptcha('GET:/drive/v1/files', meta(platform, device, tokens.sub, timeOf(line)));
  }

  /** After error 4126 it signs in with the password again. */
  async function renew(): Promise<void> {
    try {
      await client.refresh();
    } catch (error) {
      if (!(error instanceof Refused && error.code === 4126)) throw error;
      await signIn();
    }
  }

  await signIn();
  return client;
}

/** Sends the requests of OpenList's driver for a share, which does not sign in. */
export async function connectShare(
  line: Line,
  { shareId, passcode = '', platform = 'web' }: { shareId: string; passcode?: string; platform?: Platform },
) {
  const { client: clientId, agent } = PLATFORMS[platform];
  const device = createHash('md5').update(shareId).digest('hex');
  let passToken = '';
  let captchaToken = '';

  const headers = (): Record<string, string> => ({
    'user-agent': agent,
    'x-client-id': clientId,
    'x-device-id': device,
    'x-captcha-token': captchaToken,
  });

  async function newCaptcha(action: string): Promise<void> {
    const answer = await ask(
      line,
      'captcha',
      {
        method: 'POST',
        host: USER,
        path: '/v1/shield/captcha/init',
        headers: headers(),
        body: {
          action,
          captcha_token: captchaToken,
          client_id: clientId,
          device_id: device,
          meta: meta(platform, device, '', timeOf(line)),
        },
      },
      answers.captcha,
    );
    if (answer.url !== '') throw new Error('need verify');
    captchaToken = answer.captcha_token;
  }

  /** Error 9 requests another captcha token; the driver repeats this forever. */
  async function call<T>(
    name: string,
    path: string,
    query: Record<string, string>,
    decode: Decode<T>,
    tries = 0,
  ): Promise<T> {
    const asked = { method: 'GET', host: DRIVE, path, query: { share_id: shareId, ...query } };
    try {
      return await ask(line, name, { ...asked, headers: headers() }, decode);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 9 || tries >= PATIENCE) throw error;
      await newCaptcha(`GET:${path}`);
      return call(name, path, query, decode, tries + 1);
    }
  }

  await newCaptcha('GET:/drive/v1/share:batch_file_info');

  async function enter(): Promise<void> {
    const opened = await call(
      'share-open',
      '/drive/v1/share',
      { pass_code: passcode, thumbnail_size: 'SIZE_LARGE', limit: PAGE },
      answers.shareOpening,
    );
    passToken = opened.pass_code_token;
  }
  if (passcode !== '') await enter();

  async function page(
    parent: string,
    token: string,
    tries = 0,
  ): Promise<ReturnType<typeof answers.shareDetail>> {
    const found = await call(
      'share-detail',
      '/drive/v1/share/detail',
      {
        parent_id: parent,
        thumbnail_size: 'SIZE_LARGE',
        with_audit: 'true',
        limit: PAGE,
        filters: FILTERS,
        page_token: token,
        pass_code_token: passToken,
      },
      answers.shareDetail,
    );
    if (found.share_status === 'OK') return found;
    if (!found.share_status.startsWith('PASS_CODE_') || tries >= PATIENCE)
      throw new Error(found.share_status_text);
    await enter();
    return page(parent, token, tries + 1);
  }

  return {
    async list(parent: string) {
      const files: ReturnType<typeof answers.shareDetail>['files'] = [];
      for (let token = 'first'; token !== '';) {
        const found = await page(parent, token === 'first' ? '' : token);
        files.push(...found.files);
        token = found.next_page_token;
      }
      return files;
    },

    async link(id: string): Promise<string> {
      const { file_info: file } = await call(
        'share-file',
        '/drive/v1/share/file_info',
        { file_id: id, pass_code_token: passToken },
        answers.shareFile,
      );
      return file.web_content_link || file.medias[0]!.link!.url;
    },
  };
}
