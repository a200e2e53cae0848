import { ENDPOINTS, ERRORS } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp } from '../../testing/index.ts';

eachDatabase((dialect) => {
  test('a healthy installation reports that it is ready', async () => {
    await using app = await openTestApp({ dialect });
    expect((await app.http.inject({ url: '/healthz' })).json()).toEqual({ status: 'alive' });
    const ready = await app.http.inject({ url: '/readyz' });
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toEqual({ status: 'ready' });
  });

  test('a failing component is named, and the process stays alive', async () => {
    await using app = await openTestApp({ dialect });
    await app.database.transaction((tx) => tx.on<{ migration: object }>().deleteFrom('migration').execute());
    const reply = await app.http.inject({ url: '/readyz' });
    expect(reply.statusCode).toBe(503);
    expect(reply.json()).toMatchObject({
      error: 'unavailable',
      details: [{ metadata: { failed: 'migrations' } }, {}],
    });
    expect((await app.http.inject({ url: '/healthz' })).statusCode).toBe(200);
  });
});

test('an unresponsive storage makes the installation unready', async () => {
  await using app = await openTestApp();
  Object.assign(app.storage, { health: () => Promise.reject(new Error('gone')) });
  const reply = await app.http.inject({ url: '/readyz' });
  expect(reply.json()).toMatchObject({ details: [{ metadata: { failed: 'storage' } }, {}] });
});

interface Document {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        summary: string;
        description?: string;
        security: object[];
        parameters: { name: string; in: string }[];
        responses: Record<string, object>;
      }
    >
  >;
}

test('OpenAPI describes every endpoint: its path, its callers, its responses and errors', async () => {
  await using app = await openTestApp();
  const reply = await app.http.inject({ url: '/openapi.json' });
  const { openapi, paths } = reply.json<Document>();
  expect(openapi).toBe('3.1.0');
  for (const spec of ENDPOINTS) {
    const operation = paths[spec.path]![spec.method.toLowerCase()]!;
    expect(operation.operationId).toBe(spec.name);
    expect(operation.summary).toBe(spec.summary);
    expect(operation.description).toBe(spec.description);
    expect(operation.security.length > 0).toBe(spec.credentials !== 'none');
    const inPath = operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => name);
    expect(inPath).toEqual([...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
    expect(operation.responses).toHaveProperty(String(spec.status ?? 200));
    for (const id of spec.errors ?? []) expect(operation.responses).toHaveProperty(String(ERRORS[id].status));
    if (spec.credentials === 'required') expect(operation.responses).toHaveProperty('401');
  }
});

test('the reference page lists every endpoint, has an anchor for every error, and loads nothing from other sites', async () => {
  await using app = await openTestApp();
  const { headers, body } = await app.http.inject({ url: '/api-docs' });
  expect(headers['content-type']).toContain('text/html');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  for (const spec of ENDPOINTS) expect(body).toContain(`id="${spec.name}"`);
  for (const id of Object.keys(ERRORS)) expect(body).toContain(`<tr id="error-${id}">`);
  expect(body).not.toMatch(/<script|https?:\/\//);
  const refused = (await app.http.inject({ url: '/v1/user/me' })).json<{ error_url: string }>();
  expect(body).toContain(`id="${new URL(refused.error_url).hash.slice(1)}"`);
});

test('a check that hangs counts as failed', async () => {
  await using app = await openTestApp();
  Object.assign(app.storage, { health: () => new Promise(() => {}) });
  const reply = await app.http.inject({ url: '/readyz' });
  expect(reply.statusCode).toBe(503);
}, 10_000);

test('security.txt names the contact address that the administrator set', async () => {
  const url = '/.well-known/security.txt';
  await using app = await openTestApp({ environment: { CONTACT_ADDRESS: 'security@example.org' } });
  const reply = await app.http.inject({ url });
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  const expires = /^Contact: mailto:security@example\.org\nExpires: (\S+)\nCanonical: \S+\n$/.exec(
    reply.body,
  )?.[1];
  const days = (Date.parse(expires ?? '') - Date.now()) / (24 * 3600 * 1000);
  expect(days).toBeGreaterThan(90);
  expect(days).toBeLessThan(365);
  await using silent = await openTestApp();
  expect((await silent.http.inject({ url })).statusCode).toBe(404);
});
