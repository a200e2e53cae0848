import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../testing/index.ts';
import type { Domain } from './foundation/domain/index.ts';

// `app.ts` calls what a domain has and can't notice what one forgot. These tests compare the domains with their files.

/** Folders of src that are no domains. */
const OTHERS = new Set(['foundation', 'command', 'processes', 'seed']);
const here = import.meta.dirname;
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !OTHERS.has(entry.name))
  .map(({ name }) => name);

/** Texts of the product files in a domain's folder, without tests. */
const filesOf = (folder: string): { path: string; text: string }[] =>
  readdirSync(join(here, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/[.]test[.]ts$|(^|\/)testing\//.test(path))
    .map((path) => ({ path, text: readFileSync(join(here, folder, path), 'utf8') }));

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('every folder of a domain is registered once, in the order of docs/architecture.md', () => {
  const registered = Object.keys(app.domains);
  expect(registered.toSorted()).toEqual(folders.toSorted());

  const text = readFileSync(join(here, '../../docs/architecture.md'), 'utf8');
  const [, list = ''] = /lowest first\n\n```\n(.*?)```/s.exec(text) ?? [];
  const documented = [...list.matchAll(/^[a-z-]+/gm)].map(([name]) => name);
  expect(documented).toEqual(['foundation', ...registered]);
});

describe.each(folders)('domain %s', (folder) => {
  const files = filesOf(folder);
  const domain = (): Domain | undefined => (app.domains as Record<string, Domain>)[folder];

  test('mounts its routes', () => {
    const hasRoutes = files.some(({ path }) => path.endsWith('-routes.ts'));
    expect(typeof domain()?.mount === 'function').toBe(hasRoutes);
  });

  test('defines its jobs', () => {
    const hasJobs = files.some(({ text }) => /\b(?:jobs|queue)[.]define\b/.test(text));
    expect(typeof domain()?.define === 'function').toBe(hasJobs);
  });

  test('erases the rows of an account', () => {
    const storesAccounts = files.some(
      ({ path, text }) => path.endsWith('-tables.ts') && /^ {4}account: /m.test(text),
    );
    expect(typeof domain()?.eraseAccount === 'function').toBe(storesAccounts);
  });
});
