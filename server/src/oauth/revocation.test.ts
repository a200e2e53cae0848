import { accountApi, driveApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, person, visitingApp, type TestApp } from '../../testing/index.ts';

const basic = (name: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
});

const revoke = async (app: TestApp, form: Record<string, string>, headers: Record<string, string> = {}) => {
  const reply = await app.http.inject({
    method: 'POST',
    url: accountApi.signOut.path,
    headers,
    payload: new URLSearchParams(form).toString(),
  });
  return [reply.statusCode, reply.json().error];
};

eachDatabase((dialect) => {
  test('the token of an app with a secret is revoked with that secret only', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const server = await visitingApp(app, { method: 'client_secret_basic' });
    const other = await visitingApp(app, { method: 'client_secret_basic' });
    const { access_token: token } = await server.letIn(ann);
    const client = person(app.http, { authorization: `Bearer ${token}` });
    const unproven = [401, 'invalid_client'];
    expect(await revoke(app, { token })).toEqual(unproven);
    expect(await revoke(app, { token, client_id: server.id })).toEqual(unproven);
    expect(await revoke(app, { token, client_id: server.id, client_secret: 'wrong' })).toEqual(unproven);
    expect(await revoke(app, { token }, basic(server.id, 'wrong'))).toEqual(unproven);
    expect(await revoke(app, { token, client_id: 'nobody' })).toEqual(unproven);
    expect(await revoke(app, { token }, basic(other.id, other.secret!))).toEqual([400, 'invalid_grant']);
    await client.call(driveApi.about, { query: {} });
    expect(await revoke(app, { token }, basic(server.id, server.secret!))).toEqual([200, undefined]);
    await expect(client.call(driveApi.about, { query: {} })).rejects.toMatchObject({ id: 'unauthenticated' });
  });

  test('revoking an unknown token succeeds, unless the app fails to authenticate', async () => {
    await using app = await openTestApp({ dialect });
    const server = await visitingApp(app, { method: 'client_secret_basic' });
    expect(await revoke(app, { token: 'x' })).toEqual([200, undefined]);
    expect(await revoke(app, { token: 'x' }, basic(server.id, server.secret!))).toEqual([200, undefined]);
    expect(await revoke(app, { token: 'x' }, basic(server.id, 'wrong'))).toEqual([401, 'invalid_client']);
    expect(await revoke(app, { token: 'x' }, basic('nobody', 'x'))).toEqual([401, 'invalid_client']);
  });

  test('an app must name the token to revoke; a member’s client and our pages sign out without one', async () => {
    await using app = await openTestApp({ dialect });
    const frame = await visitingApp(app);
    const server = await visitingApp(app, { method: 'client_secret_basic' });
    const incomplete = [400, 'invalid_request'];
    expect(await revoke(app, { client_id: frame.id })).toEqual(incomplete);
    expect(await revoke(app, { client_id: frame.id, token: '' })).toEqual(incomplete);
    expect(await revoke(app, {}, basic(server.id, server.secret!))).toEqual(incomplete);
    expect(await revoke(app, { token_type_hint: 'access_token' })).toEqual(incomplete);
    expect(await revoke(app, {})).toEqual([200, undefined]);
    const ann = await app.signUp('ann');
    expect(await revoke(app, {}, ann.headers)).toEqual([200, undefined]);
    await expect(ann.call(accountApi.me, {})).rejects.toMatchObject({ id: 'unauthenticated' });
  });

  test('a member’s client ends its session with its token, whatever client it claims to be', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    expect(
      await revoke(app, { token: ann.refreshToken, client_id: 'a-program', client_secret: 'its own' }),
    ).toEqual([200, undefined]);
    await expect(ann.call(accountApi.me, {})).rejects.toMatchObject({ id: 'unauthenticated' });
  });
});
