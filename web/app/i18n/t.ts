import {
  cloneElement,
  createElement,
  Fragment,
  isValidElement,
  type ReactElement,
  type ReactNode,
} from 'react';
import { formatMessage, messagePieces, type Locale, type MessageValues } from '@bowerbird/contract';
import type { Messages } from './+types/messages.d.ts';
import type { Catalogue, MessageKey } from './catalogue.ts';
import { isolated } from './isolated.ts';
import { usePageFrame } from './page-frame.tsx';

export type { MessageKey } from './catalogue.ts';

type Values<K extends MessageKey> = [keyof Messages[K]] extends [never] ? [] : [values: Messages[K]];
type RichValues<K extends MessageKey> = { [P in keyof Messages[K]]: Messages[K][P] | ReactElement };

export interface T {
  /** Message in the reader's language, with its placeholders filled in: `t('share.files', { count: 3 })`. */
  <K extends MessageKey>(key: K, ...values: Values<K>): string;
  /** Same as `t`, with elements in place of placeholders. */
  rich<K extends MessageKey>(key: K, values: RichValues<K>): ReactNode;
  /** Message for a key built at run time (`error.${id}`); undefined if it doesn't exist. */
  find(key: string, values?: MessageValues): string | undefined;
  readonly locale: Locale;
}

const withIsolated = (values: MessageValues): MessageValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? isolated(value) : value,
    ]),
  );

export function createT(locale: Locale, catalogue: Catalogue): T {
  const t = (key: MessageKey, values?: MessageValues): string =>
    formatMessage(locale, catalogue[key] ?? key, values && withIsolated(values));
  const rich = (key: MessageKey, values: Record<string, string | number | ReactElement>): ReactNode => {
    const plain = Object.fromEntries(
      Object.entries(values).filter(([, value]) => !isValidElement(value)),
    ) as MessageValues;
    const pieces = messagePieces(locale, catalogue[key] ?? key, plain).map((piece, at) => {
      if (typeof piece === 'string') return piece;
      const value = values[piece.name];
      if (isValidElement(value)) return cloneElement(value, { key: at });
      return typeof value === 'string' ? isolated(value) : value;
    });
    return createElement(Fragment, null, ...pieces);
  };
  const find = (key: string, values?: MessageValues): string | undefined => {
    const message = (catalogue as Record<string, string | undefined>)[key];
    return message === undefined ? undefined : formatMessage(locale, message, values && withIsolated(values));
  };
  return Object.assign(t, { rich, find, locale }) as unknown as T;
}

/** One for each language: hundreds of components use it. */
const known = new WeakMap<Catalogue, T>();

export function useT(): T {
  const { locale, catalogue } = usePageFrame();
  let t = known.get(catalogue);
  if (!t) known.set(catalogue, (t = createT(locale, catalogue)));
  return t;
}
