/** Keys for sorting a list, each ascending or descending. */
export const SORT_KEYS = ['name', 'type', 'modified', 'size'] as const;
export type SortKey = (typeof SORT_KEYS)[number];
export interface Order {
  readonly key: SortKey;
  readonly descending: boolean;
}

/** Most recently modified first: used if no order is chosen. */
export const DEFAULT_ORDER: Order = { key: 'modified', descending: true };

/** Wire names of orders. Old clients send numbers and upper-case names; pages use the lower-case ones. */
const BY_NAME: Readonly<Record<string, Order>> = {
  '1': { key: 'name', descending: false },
  '2': { key: 'type', descending: false },
  '3': { key: 'type', descending: true },
  '4': { key: 'name', descending: true },
  '5': { key: 'modified', descending: false },
  '6': { key: 'modified', descending: true },
  '7': { key: 'size', descending: false },
  '8': { key: 'size', descending: true },
  name_asc: { key: 'name', descending: false },
  name_desc: { key: 'name', descending: true },
  type_asc: { key: 'type', descending: false },
  type_desc: { key: 'type', descending: true },
  mod_asc: { key: 'modified', descending: false },
  mod_desc: { key: 'modified', descending: true },
  size_asc: { key: 'size', descending: false },
  size_desc: { key: 'size', descending: true },
};

/** The order that `text` stands for in any of its wire forms (`6`, `NAME_ASC`, `mod_desc`), or undefined. */
export function parseOrder(text: string | null | undefined): Order | undefined {
  const name = (text ?? '').toLowerCase();
  return Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
}

/** Lower-case wire name: `mod_desc`. */
export function orderName(order: Order): string {
  return `${order.key === 'modified' ? 'mod' : order.key}_${order.descending ? 'desc' : 'asc'}`;
}
