import { expect, test } from 'vitest';
import { eachDatabase, openTestApp } from '../testing/index.ts';

eachDatabase((dialect) => {
  test('a visitor who asks for tasks is told to sign in, in his language', async () => {
    await using app = await openTestApp({ dialect });
    const reply = await app.http.inject({ url: '/drive/v1/tasks', headers: { 'accept-language': 'en-US' } });
    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ error: 'unauthenticated', error_code: 16 });
    expect(reply.headers['content-type']).toContain('application/json');
  });

  test('a malformed escape in a path is answered, not fatal', async () => {
    await using app = await openTestApp({ dialect });
    const reply = await app.http.inject({ url: '/drive/v1/tasks/%E0%A4%A' });
    expect(reply.statusCode).toBe(400);
  });
});
