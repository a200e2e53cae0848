import { describe, expect, test } from 'vitest';
import { attributionOf, countable, foreignOrigin, withReferrer } from './where-from.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;

describe('the referrer', () => {
  test('is taken from the address', () => {
    expect(attributionOf('?__source=letter&__campaign=spring&other=1')).toEqual({
      source: 'letter',
      campaign: 'spring',
    });
    expect(attributionOf('?launcher=extension&scene=toolbar&__source=letter')).toEqual({
      source: 'letter',
      campaign: 'toolbar',
    });
    expect(attributionOf('?launcher=extension')).toEqual({ source: 'extension' });
    expect(attributionOf(`?__medium=${'x'.repeat(500)}`).medium).toHaveLength(100);
  });

  test('is kept for twelve hours, up to ten sites, each once', () => {
    let list = withReferrer(undefined, 'https://one.example', NOW);
    expect(list).toEqual([{ val: 'https://one.example', expired: NOW + 12 * HOUR }]);
    list = withReferrer(list, 'https://one.example', NOW + HOUR);
    expect(list).toEqual([{ val: 'https://one.example', expired: NOW + 13 * HOUR }]);
    for (let at = 0; at < 12; at += 1) list = withReferrer(list, `https://${at}.example`, NOW + HOUR);
    expect(list).toHaveLength(10);
    expect(list[0]!.val).toBe('https://11.example');
    expect(withReferrer(list, '', NOW + 14 * HOUR)).toEqual([]);
  });

  test.each(['nonsense', 7, null, [{ val: 3 }, null, 'x']])('%j in storage is ignored', (kept) => {
    expect(withReferrer(kept, '', NOW)).toEqual([]);
  });

  test('is reduced to a short word before it is counted', () => {
    expect(countable('letter-2026.spring/a')).toBe('letter-2026.spring/a');
    expect(countable('https://forum.example:8443')).toBe('https://forum.example:8443');
    expect(countable('Ann <ann@example.org>')).toBe('Ann__ann_example.org_');
    expect(countable('x'.repeat(100))).toHaveLength(64);
  });

  test('is the origin of a site, never its page, and never our own', () => {
    expect(foreignOrigin('https://forum.example/thread/9?token=secret', 'https://drive.example')).toBe(
      'https://forum.example',
    );
    expect(foreignOrigin('https://drive.example/s/abc', 'https://drive.example')).toBe('');
    expect(foreignOrigin('android-app://com.example', 'https://drive.example')).toBe('');
    expect(foreignOrigin('', 'https://drive.example')).toBe('');
  });
});
