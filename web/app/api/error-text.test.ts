import { expect, test } from 'vitest';
import { ApiFailure, LOCALES } from '@bowerbird/contract';
import type { Catalogue } from '#app/i18n/catalogue.ts';
import { createT } from '#app/i18n/t.ts';
import { errorText } from './error-text.ts';

const tIn = async (locale: (typeof LOCALES)[number]) => {
  const messages = (await import(`../../../locales/${locale}.json`, { with: { type: 'json' } })) as {
    default: Catalogue;
  };
  return createT(locale, messages.default);
};

test.each(LOCALES)('a rate-limit error states how long to wait, in %s', async (locale) => {
  const t = await tIn(locale);
  for (const id of ['too_frequent', 'account_locked', 'verification_too_frequent'] as const) {
    expect(errorText(t, new ApiFailure(id, { retry_in: '840' }))).toMatch(/^[^{}]*14[^{}]*[.。]$/);
    expect(errorText(t, new ApiFailure(id))).toMatch(/^[^\d{}]+[.。]$/);
  }
  expect(errorText(t, new ApiFailure('account_locked_retry', { retry_in: '45' }))).toContain('45');
});

test('a server’s message is shown unchanged', async () => {
  const t = await tIn('en-US');
  expect(errorText(t, new ApiFailure('too_frequent', { retry_in: '840' }, 'Bitte warten.'))).toBe(
    'Bitte warten.',
  );
});
