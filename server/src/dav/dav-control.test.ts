import { webdavApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { basic, eachDatabase, openTestApp, PASSWORD, type TestApp } from '../../testing/index.ts';

eachDatabase((dialect) => {
  const root = async (app: TestApp, name: string, secret: string): Promise<number> => {
    const headers = { authorization: basic(name, secret), depth: '0' };
    return (await app.http.inject({ method: 'PROPFIND' as 'GET', url: '/dav/', headers })).statusCode;
  };

  test('a program gets its own password, which is not shown in the list, and is rejected once it is removed', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const made = await ann.call(webdavApi.create, {
      body: { application_name: 'Finder', password: PASSWORD },
    });
    expect(made).toMatchObject({ username: ann.email, application: { application_name: 'Finder' } });
    expect(await root(app, made.username, made.password)).toBe(207);
    const listed = await ann.call(webdavApi.applications, {});
    expect(listed).toMatchObject({
      enable: true,
      address: 'http://drive.test/dav/',
      applications: [{ username: ann.email }],
    });
    expect(JSON.stringify(listed)).not.toContain(made.password);
    await ann.call(webdavApi.remove, { query: { id: made.application.id } });
    expect(await root(app, made.username, made.password)).toBe(401);
  });

  test('a drive whose owner turned WebDAV off rejects every program until it is turned on again', async () => {
    await using app = await openTestApp({ dialect });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    await ann.call(webdavApi.toggle, { body: { enable: false } });
    expect(await root(app, ann.email, PASSWORD)).toBe(403);
    expect(await root(app, bob.email, PASSWORD)).toBe(207);
    expect(await ann.call(webdavApi.applications, {})).toMatchObject({ enable: false });
    await ann.call(webdavApi.toggle, { body: { enable: true } });
    expect(await root(app, ann.email, PASSWORD)).toBe(207);
  });

  test('granting a program access requires the account’s password', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await expect(
      ann.call(webdavApi.create, { body: { application_name: 'Finder', password: 'guessed at' } }),
    ).rejects.toMatchObject({ id: 'invalid_password' });
    await expect(app.visitor.call(webdavApi.applications, {})).rejects.toMatchObject({
      id: 'unauthenticated',
    });
  });
});
