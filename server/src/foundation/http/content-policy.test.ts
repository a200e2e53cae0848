import { expect, test } from 'vitest';
import { appBeside, contentPolicy } from './content-policy.ts';

const directives = (policy: string): Map<string, string> =>
  new Map(policy.split('; ').map((one) => [one.split(' ')[0]!, one.slice(one.indexOf(' ') + 1)]));

test('a page runs what we wrote and nothing else, and stands in no frame but ours', () => {
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

test('a site that the operator chose may show pages inside its own', () => {
  const policy = directives(
    contentPolicy('bm9uY2U=', { origins: [], beside: [], framedBy: ['https://portal.test'] }),
  );
  expect(policy.get('frame-ancestors')).toBe("'self' https://portal.test");
});

test('an address opens connections to the one port of this machine where the desktop app waits, at most', () => {
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
