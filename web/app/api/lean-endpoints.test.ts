import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { lean } from '../../lean-endpoints.ts';

const leaned = (code: string): string => lean(code, parseAst(code, { lang: 'ts' }) as never);

test('an endpoint keeps what a call needs, and loses its schemas, texts and errors', () => {
  const code = `import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
/** “Phases”, with characters of several bytes before the code. */
export const Phase = oneOf(PHASES);
export const Task = Type.Object({ id: Id, phase: Type.Optional(Type.Array(Phase)) });
export type Task = Static<typeof Task>;
export const taskApi = {
  get: endpoint({
    name: 'task.get',
    summary: 'Get a task',
    method: 'POST',
    params: Type.Object({ id: Id }),
    path: '/drive/v1/tasks/{id}',
    captcha: true,
    reply: Task,
    errors: ['task_not_found'],
  }),
};`;
  const result = leaned(code);
  expect(result).not.toMatch(/typebox|Type\.|summary|params|reply|errors|endpoint\(/);
  expect(result).toContain('export const Phase = 0;');
  expect(result).toContain('export const Task = 0;');
  expect(result).toContain('“Phases”');
  const call = result.slice(result.indexOf('get: ') + 'get: '.length, result.lastIndexOf(',\n};'));
  // eslint-disable-next-line typescript/no-implied-eval
  expect(new Function(`return ${call}`)()).toEqual({
    name: 'task.get',
    method: 'POST',
    path: '/drive/v1/tasks/{id}',
    captcha: true,
  });
});

test('no module of the contract keeps a schema', () => {
  const contract = join(import.meta.dirname, '../../../contract/src');
  const withSchemas = globSync('**/*.ts', { cwd: contract, exclude: ['**/*.test.ts'] })
    .map((file) => readFileSync(join(contract, file), 'utf8'))
    .filter((code) => code.includes('import Type'));
  expect(withSchemas.length).toBeGreaterThan(30);
  for (const code of withSchemas) expect(leaned(code)).not.toMatch(/\bType\.[A-Z]\w*\(/);
});

test('a schema that isn’t called is reported instead of failing in the browser', () => {
  expect(() => leaned(`import Type from 'typebox';\nexport const all = [Type];`)).toThrow(
    'Type must be called',
  );
});
