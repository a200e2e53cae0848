import { expect, test } from 'vitest';
import { appBeside, contentPolicy } from './content-policy.ts';

const directives = (policy: string): Map<string, string> =>
  new Map(policy.split('; ').map((one) => [one.split(' ')[0]!, one.slice(one.indexOf(' ') + 1)]));

test('pages run only our own scripts and can’t be framed by other sites', () => {
  const policy = directives(
    contentPolicy('bm9uY2U=', { origins: ['https://api.test'], beside: [], framedBy: [] }),
  );
  expect(policy.get('default-src')).toBe("'self'");
  expect(policy.get('script-src')).toBe("'self' 'nonce-bm9uY2U=' 'wasm-unsafe-eval'");
  expect(policy.get('connect-src')).toBe("'self' https://api.test");
  expect(policy.get('object-src')).toBe("'none'");
  expect(policy.get('base-uri')).toBe("'none'");
  expect(policy.get('form-action')).toBe("'self'");
  expect(policy.get('frame-ancestors')).toBe("'self'");
});

test('a site that the administrator allows may frame pages', () => {
  const policy = directives(
    contentPolicy('bm9uY2U=', { origins: [], beside: [], framedBy: ['https://portal.test'] }),
  );
  expect(policy.get('frame-ancestors')).toBe("'self' https://portal.test");
});

test('a page connects at most to the one local port where the desktop app listens', () => {
  expect(appBeside({ from_source: 'pc_client', port: '1F90' })).toEqual(['http://127.0.0.1:8080']);
  for (const query of [
    {},
    { port: '1F90' },
    { from_source: 'pc_client', port: '0' },
    { from_source: 'pc_client', port: '1F90; script-src *' },
    { from_source: 'pc_client', port: ['1F90', '*'] },
    { from_source: 'pc_client', port: '12345' },
  ])
    expect(appBeside(query)).toEqual([]);
});
