import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOCALES } from '@bowerbird/contract';

const NAMES = [
  ['payment.order', 'payment.orderThis'],
  ['payment.renew', 'payment.renewThis'],
  ['shop.extend', 'shop.extendThis'],
] as const;

test.each(LOCALES)('the names of buttons that order begin with what the buttons show: %s', (locale) => {
  const catalog = JSON.parse(
    readFileSync(new URL(`../../../locales/${locale}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>;
  for (const [text, name] of NAMES) expect(catalog[name]!.startsWith(catalog[text]!), name).toBe(true);
});
