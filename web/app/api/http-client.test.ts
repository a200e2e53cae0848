import { describe, expect, test } from 'vitest';
import { accountApi, ApiFailure, driveApi, isApiFailure, shareApi } from '@bowerbird/contract';
import {
  clampRetries,
  createClient,
  LONG_PATIENCE,
  usualPatience,
  type CaptchaCall,
  type ClientOptions,
} from './http-client.ts';

type Reply = { status?: number; body?: unknown; headers?: Record<string, string> } | Error;

/** Creates a client on a fake network that returns the given replies in order, and repeats the last one. */
function clientWith(replies: Reply[], options: Partial<ClientOptions> = {}) {
  const requests: { url: string; init: RequestInit; headers: Record<string, string> }[] = [];
  const pauses: number[] = [];
  const call = createClient({
    origins: [''],
    locale: 'ru',
    deviceId: 'd'.repeat(32),
    randomId: () => `key-${requests.length}`,
    sleep: async (ms) => void pauses.push(ms),
    fetch: async (url, init = {}) => {
      init.signal?.throwIfAborted();
      requests.push({ url: url as string, init, headers: init.headers as Record<string, string> });
      const reply = replies[Math.min(requests.length, replies.length) - 1]!;
      if (reply instanceof Error) throw reply;
      const { status = 200, body = {}, headers = {} } = reply;
      const content = typeof body === 'string' ? body : JSON.stringify(body);
      return new Response(status === 304 ? null : content, { status, headers });
    },
    ...options,
  });
  return { call, requests, pauses };
}

const failureOf = async (promise: Promise<unknown>): Promise<ApiFailure> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isApiFailure(error)) throw new Error(`not a failure: ${String(error)}`);
  return error;
};
const lost = new TypeError('Failed to fetch');
const me = accountApi.me;

describe('a request', () => {
  test('sends the client, the device and the language', async () => {
    const { call, requests } = clientWith([{ body: { sub: '1' } }]);
    await expect(call(me, {})).resolves.toEqual({ sub: '1' });
    expect(requests[0]).toMatchObject({
      url: '/v1/user/me',
      init: { method: 'GET', mode: 'cors', credentials: 'include' },
      headers: { 'accept-language': 'ru', 'x-device-id': 'd'.repeat(32), 'x-client-id': 'bowerbird-web' },
    });
    expect(requests[0]!.headers['idempotency-key']).toBeUndefined();
  });

  test('omits credentials if the call needs none, unless it signs in', async () => {
    const { call, requests } = clientWith([{}]);
    await call(accountApi.signUpRules, {});
    await call(accountApi.signIn, { body: { username: 'a', password: 'b' } });
    await call(accountApi.signIn, { body: { username: 'a', password: 'b', session: 'cookie' } });
    expect(requests.map(({ init }) => init.credentials)).toEqual(['omit', 'omit', 'include']);
  });

  test('encodes its path and omits absent query parameters', async () => {
    const { call, requests } = clientWith([{ body: {} }]);
    await call(driveApi.get, { params: { id: 'a/b?c' }, query: {} });
    expect(requests[0]!.url).toBe('/drive/v1/files/a%2Fb%3Fc');
  });
});

test('bytes follow the body in the same request, also when it is repeated', async () => {
  const { call, requests } = clientWith([{ status: 503 }, { body: { results: [] } }]);
  const files = [{ name: 'a', size: 3 }];
  await call(driveApi.uploadMany, { body: { files }, bytes: new Blob(['x\ny']) });
  for (const { init, headers } of requests) {
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(await (init.body as Blob).text()).toBe(`${JSON.stringify({ files })}\nx\ny`);
  }
  expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-0', 'key-0']);
});

describe('a failing call', () => {
  test.each([408, 409, 425, 429, 500, 502, 503, 504])('with %i is retried twice', async (status) => {
    const { call, requests, pauses } = clientWith([{ status }]);
    await failureOf(call(me, {}));
    expect(requests).toHaveLength(3);
    expect(pauses).toEqual([300, 300]);
  });

  test.each([400, 401, 403, 404])('with %i is not retried', async (status) => {
    const { call, requests } = clientWith([{ status }]);
    await failureOf(call(me, {}));
    expect(requests).toHaveLength(1);
  });

  test('because the name is taken is not retried', async () => {
    const { call, requests } = clientWith([{ status: 409, body: { error: 'email_taken', error_code: 6 } }]);
    expect((await failureOf(call(me, {}))).id).toBe('email_taken');
    expect(requests).toHaveLength(1);
  });

  test('succeeds when a retry does', async () => {
    const { call } = clientWith([lost, { status: 503 }, { body: { sub: 'x' } }]);
    await expect(call(me, {})).resolves.toEqual({ sub: 'x' });
  });

  test('is retried at least once and at most four times', () => {
    expect([-3, 0, 2, 4, 99, undefined].map(clampRetries)).toEqual([0, 0, 2, 4, 4, 2]);
  });

  test('waits as long as the server asks, up to a limit', async () => {
    const { call, pauses } = clientWith([
      { status: 503, headers: { 'retry-after': '2' } },
      { status: 429, headers: { 'retry-after': '3600' } },
      {},
    ]);
    await call(me, {});
    expect(pauses).toEqual([2000, 10_000]);
  });

  test('repeats a change under one idempotency key, so that it happens once', async () => {
    const { call, requests } = clientWith([lost, { status: 502 }, {}]);
    await call(accountApi.signOut, { body: {} });
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-0', 'key-0', 'key-0']);
    await call(accountApi.signOut, { body: {} }, { idempotencyKey: 'mine' });
    expect(requests.at(-1)!.headers['idempotency-key']).toBe('mine');
  });
});

describe('the origins of the API', () => {
  test('are tried in turn if one is unreachable, and the one that responds is used from then on', async () => {
    const { call, requests } = clientWith([lost, {}, {}], {
      origins: ['https://a.example', 'https://b.example'],
    });
    await call(me, {});
    await call(me, {});
    expect(requests.map(({ url }) => new URL(url).host)).toEqual(['a.example', 'b.example', 'b.example']);
  });

  test('that are all unreachable give one clear error', async () => {
    const failure = await failureOf(clientWith([lost]).call(me, {}));
    expect([failure.id, failure.code]).toEqual(['unreachable', 8000]);
  });
});

describe('an error', () => {
  test('is read from the body, even with a success status', async () => {
    const failure = await failureOf(
      clientWith([
        { body: { error: 'file_not_found', error_code: 5, error_description: 'Файл не найден' } },
      ]).call(me, {}),
    );
    expect([failure.id, failure.text]).toEqual(['file_not_found', 'Файл не найден']);
  });

  test('uses the localized message before the description, and keeps its details', async () => {
    const details = [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'r',
        domain: 'd',
        metadata: { retry_in: '30' },
      },
      { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'ru', message: 'Подождите' },
    ];
    const failure = await failureOf(
      clientWith([{ status: 429, body: { error: 'too_frequent', error_description: 'wait', details } }], {
        patience: usualPatience(0),
      }).call(me, {}),
    );
    expect([failure.text, failure.facts]).toEqual(['Подождите', { retry_in: '30' }]);
  });

  test('of an unknown kind keeps its name for the reader', async () => {
    const failure = await failureOf(
      clientWith([{ status: 400, body: { error: 'new_kind', error_code: 77 } }]).call(me, {}),
    );
    expect([failure.id, failure.facts]).toEqual(['unknown', { reason: 'new_kind' }]);
  });

  test('of a proxy that sends HTML is an error, also with a success status', async () => {
    expect((await failureOf(clientWith([{ status: 502, body: '<html>' }]).call(me, {}))).id).toBe(
      'unavailable',
    );
    expect((await failureOf(clientWith([{ status: 200, body: '<html>' }]).call(me, {}))).id).toBe('unknown');
  });

  test('of an ended session is reported to the sign-in handler', async () => {
    const told: string[] = [];
    const { call } = clientWith([{ status: 401, body: { error: 'unauthenticated', error_code: 16 } }], {
      onSignedOut: ({ id }) => void told.push(id),
    });
    await failureOf(call(me, {}));
    expect(told).toEqual(['unauthenticated']);
  });
});

describe('a transient error', () => {
  test('is retried whatever its status, if the server failed internally', async () => {
    const { call, requests, pauses } = clientWith([
      { status: 200, body: { error: 'internal', error_code: 13 } },
      { status: 200, body: { error: 'new_word', error_code: 13 } },
      { body: { sub: '1' } },
    ]);
    await expect(call(me, {})).resolves.toEqual({ sub: '1' });
    expect([requests.length, pauses]).toEqual([3, [300, 300]]);
  });

  test('is retried fifteen times in the background, with doubled delays', async () => {
    const { call, requests, pauses } = clientWith([lost], { patience: LONG_PATIENCE });
    await failureOf(call(me, {}));
    expect(requests).toHaveLength(15);
    expect(pauses).toEqual(Array.from({ length: 14 }, (_, n) => 2 ** n * 1000));
  });
});

describe('a captcha token', () => {
  /** Fake token source that issues numbered tokens. */
  function roll() {
    const wanted: CaptchaCall[] = [];
    const refused: string[] = [];
    const spent: string[] = [];
    let made = 0;
    return {
      wanted,
      refused,
      spent,
      captcha: {
        get: async (one: CaptchaCall) => (wanted.push(one), `token-${(made += 1)}`),
        renew: async (one: CaptchaCall, token: string) => (
          wanted.push(one),
          refused.push(token),
          `token-${(made += 1)}`
        ),
        spent: (token: string) => void spent.push(token),
      },
    };
  }
  const tokensOf = (requests: { headers: Record<string, string> }[]) =>
    requests.map(({ headers }) => headers['x-captcha-token']);
  const signIn = { body: { username: 'ann', password: 'b' } };

  test('is sent with a sign-in, requested for its method, path and name', async () => {
    const { captcha, wanted, spent } = roll();
    const { call, requests } = clientWith([{}], { captcha });
    await call(accountApi.signIn, signIn);
    expect(tokensOf(requests)).toEqual(['token-1']);
    expect(wanted).toEqual([{ action: 'POST:/v1/auth/signin', names: { username: 'ann' } }]);
    expect(spent).toEqual([]);
    await call(accountApi.signUp, { body: { email: 'ann@example.org', password: 'b' } });
    expect(wanted[1]).toEqual({ action: 'POST:/v1/auth/signup', names: { email: 'ann@example.org' } });
    expect(spent).toEqual(['token-2']);
  });

  test('is sent when a visitor reads a share, not for a member', async () => {
    const { captcha, wanted } = roll();
    const visitor = clientWith([{}], { captcha, isMember: () => false });
    await visitor.call(shareApi.detail, { query: { share_id: 's' } });
    expect(tokensOf(visitor.requests)).toEqual(['token-1']);
    expect(wanted).toEqual([{ action: 'GET:/drive/v1/share/detail', names: {} }]);
    const member = clientWith([{}], { captcha, isMember: () => true });
    await member.call(shareApi.detail, { query: { share_id: 's' } });
    await member.call(me, {});
    expect(tokensOf(member.requests)).toEqual([undefined, undefined]);
  });

  test.each([
    ['captcha_required', 4001],
    ['captcha_invalid', 4002],
    ['captcha_invalid', 9],
  ])(
    'that is missing or rejected (%s, %i) is renewed, and the call repeated at once',
    async (error, code) => {
      const { captcha, refused } = roll();
      const { call, requests, pauses } = clientWith(
        [{ status: 400, body: { error, error_code: code } }, { body: { sub: '1' } }],
        { captcha },
      );
      await expect(call(accountApi.signIn, signIn)).resolves.toEqual({ sub: '1' });
      expect(tokensOf(requests)).toEqual(['token-1', 'token-2']);
      expect([refused, pauses]).toEqual([['token-1'], []]);
    },
  );

  test('is renewed three times at most', async () => {
    const { captcha, refused } = roll();
    const { call, requests } = clientWith(
      [{ status: 400, body: { error: 'captcha_invalid', error_code: 4002 } }],
      { captcha },
    );
    expect((await failureOf(call(accountApi.signIn, signIn))).id).toBe('captcha_invalid');
    expect([requests.length, refused.length]).toEqual([4, 3]);
  });

  test('that the user declines to get cancels the call', async () => {
    const { captcha } = roll();
    const { call } = clientWith([{ status: 400, body: { error: 'captcha_required', error_code: 4001 } }], {
      captcha: {
        ...captcha,
        renew: async () => {
          throw new ApiFailure('cancelled');
        },
      },
    });
    expect((await failureOf(call(accountApi.signIn, signIn))).code).toBe(1);
  });
});

test('an error code known under another name uses the message of that code', async () => {
  const failure = async (error_code: number) =>
    (await failureOf(clientWith([{ status: 400, body: { error: 'other_word', error_code } }]).call(me, {})))
      .id;
  expect(await Promise.all([4023, 8002, 4012, 16, 8].map(failure))).toEqual([
    'invalid_account_or_code',
    'local',
    'account_not_activated',
    'unauthenticated',
    'resource_exhausted',
  ]);
});

test('an aborted call ends at once and is not repeated', async () => {
  const giveUp = new AbortController();
  const { call, requests } = clientWith([{ status: 503 }], {
    sleep: async () => giveUp.abort(),
  });
  await expect(call(me, {}, { signal: giveUp.signal })).rejects.toThrow(/abort/i);
  expect(requests).toHaveLength(1);
});

describe('a reply with a version', () => {
  const list = () => ({ query: { parent_id: 'x' } });

  test('is asked for by its version, and used again if it is unchanged', async () => {
    const first = { body: { files: ['a'] }, headers: { etag: 'W/"1"' } };
    const { call, requests } = clientWith([first, { status: 304 }, { body: { files: ['b'] } }]);
    const reply = await call(driveApi.list, list());
    expect(await call(driveApi.list, list())).toBe(reply);
    expect(requests[0]!.headers['if-none-match']).toBeUndefined();
    expect(requests[1]!.headers['if-none-match']).toBe('W/"1"');
    expect(await call(driveApi.list, list())).toEqual({ files: ['b'] });
  });

  test('belongs to its address only', async () => {
    const { call, requests } = clientWith([{ headers: { etag: 'W/"1"' } }]);
    await call(driveApi.list, list());
    await call(driveApi.list, { query: { parent_id: 'y' } });
    expect(requests[1]!.headers['if-none-match']).toBeUndefined();
  });
});
