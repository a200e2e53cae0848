import { replyText } from '@bowerbird/contract';

/** Reply that another one can be compared with, with slots in place of what only one visitor has. */
export interface KnownReply {
  /** JSON of the reply without its {@link lists}. */
  readonly text: string;
  /** Lists that can't be changed and that replies share, by the names of their fields. */
  readonly lists: Map<string, readonly unknown[]>;
}

export function knownReply(reply: unknown, slots: readonly string[]): KnownReply {
  const lists = new Map<string, readonly unknown[]>();
  const rest = withoutLists(reply, (name, list) => lists.set(name, list));
  return { text: withSlots(JSON.stringify(rest), slots), lists };
}

/**
 * Returns true if a reply says the same as a known one, except for what belongs into slots. A list that is the same
 * object isn't read: it is most of a reply.
 */
export function isSameReply(reply: unknown, known: KnownReply, slots: readonly string[]): boolean {
  let count = 0;
  let isSame = true;
  const rest = withoutLists(reply, (name, list) => {
    count += 1;
    const before = known.lists.get(name);
    isSame &&= before !== undefined && isSameList(list, before);
    // The next reply probably has this list, and not the earlier one.
    if (isSame) known.lists.set(name, list);
  });
  if (!isSame || count !== known.lists.size) return false;
  const text = JSON.stringify(rest);
  return text === known.text || withSlots(text, slots) === known.text;
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one === other || replyText({ list: one }) === replyText({ list: other });

/** The reply with 0 in place of its frozen lists, which are passed to `found`. */
function withoutLists(reply: unknown, found: (name: string, list: readonly unknown[]) => void): unknown {
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) return reply;
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(reply)) {
    const isList = Array.isArray(value) && Object.isFrozen(value);
    rest[name] = isList ? 0 : value;
    if (isList) found(name, value);
  }
  return rest;
}

/** No page contains this character. */
export const MARK = '\u0000';

export const withSlots = (text: string, slots: readonly string[]): string =>
  slots.reduce((open, value, slot) => open.replaceAll(value, `${MARK}${slot}${MARK}`), text);

export const withValues = (text: string, slots: readonly string[]): string =>
  text
    .split(MARK)
    .map((piece, at) => (at % 2 === 0 ? piece : slots[Number(piece)]!))
    .join('');
