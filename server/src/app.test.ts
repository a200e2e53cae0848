import { expect, test } from 'vitest';
import { eachDatabase, openTestApp } from '../testing/index.ts';

eachDatabase((dialect) => {
  test('a visitor who requests tasks gets a sign-in error in their language', async () => {
    await using app = await openTestApp({ dialect });
    const reply = await app.http.inject({ url: '/drive/v1/tasks', headers: { 'accept-language': 'en-US' } });
    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ error: 'unauthenticated', error_code: 16 });
    expect(reply.headers['content-type']).toContain('application/json');
  });

  test('a malformed escape in a path gets an error response and does not stop the server', async () => {
    await using app = await openTestApp({ dialect });
    const reply = await app.http.inject({ url: '/drive/v1/tasks/%E0%A4%A' });
    expect(reply.statusCode).toBe(400);
  });
});
