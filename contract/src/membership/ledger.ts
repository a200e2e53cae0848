import Type, { type Static } from 'typebox';
import { FILE_CATEGORIES } from '../drive/categories.ts';
import { endpoint } from '../endpoint.ts';
import { Decimal, FolderId, Id, Limit, MaybeTime, oneOf, PageToken, Time } from '../wire.ts';

/** `limit`: how much a member may store; `usage`: how much they store. */
export const LEDGER_RESOURCES = ['limit', 'usage'] as const;
export type LedgerResource = (typeof LEDGER_RESOURCES)[number];

/** Formats of the export. */
export const LEDGER_FORMATS = ['csv', 'json'] as const;
export type LedgerFormat = (typeof LEDGER_FORMATS)[number];

const own = { method: 'GET', host: 'drive', credentials: 'required' } as const;

const filters = {
  resource: Type.Optional(oneOf(LEDGER_RESOURCES, 'Only changes of the limit, or of the usage.')),
  cause: Type.Optional(Type.String({ maxLength: 64, description: 'Only changes with this cause.' })),
  since: Type.Optional(Type.String({ description: 'Only changes from this time on, RFC 3339.' })),
  until: Type.Optional(Type.String({ description: 'Only changes before this time, RFC 3339.' })),
};

/** A plan, in the reader's language. */
const PlanName = Type.Object({ id: Type.String(), name: Type.String() });

/** One change of the limit or of the usage. */
export const LedgerItem = Type.Object({
  id: Id,
  resource: oneOf(LEDGER_RESOURCES),
  /** Such as `upload` or `delete`; of the limit `base`, `plan`, or what granted additional storage. */
  cause: Type.String(),
  /** Bytes; negative if the limit or the usage was reduced. */
  amount: Decimal,
  created_time: Time,
  /** The plan that changed the limit; null for other causes. */
  plan: Type.Union([PlanName, Type.Null()]),
  /** File or folder that the change was about; null if it doesn't exist any more, or there is none. */
  file: Type.Union([
    Type.Object({
      id: Id,
      name: Type.String(),
      kind: oneOf(['drive#file', 'drive#folder'] as const),
      parent_id: FolderId,
    }),
    Type.Null(),
  ]),
});
export type LedgerItem = Static<typeof LedgerItem>;

/** Part of the storage limit; the limit is the sum of all parts. */
export const LimitItem = Type.Object({
  /** `base`, the plan, or the benefit. */
  id: Type.String(),
  /** `base` is what everyone has, or what an administrator set for the account. */
  kind: oneOf(['base', 'plan', 'storage'] as const),
  /** `plan`, `administrator`, or what granted additional storage. */
  cause: Type.String(),
  plan: Type.Union([PlanName, Type.Null()]),
  bytes: Decimal,
  /** When the part got its present size. */
  since: Time,
  /** When it ends; "" if it doesn't. */
  until: MaybeTime,
  /** Until when the storage remains after the end; "" if it doesn't end. */
  grace_until: MaybeTime,
  /** True after the end, during the grace period. */
  ended: Type.Boolean(),
  /** Benefits that a plan consists of, oldest first. */
  benefits: Type.Array(Type.Object({ cause: Type.String(), start_time: Time, end_time: MaybeTime })),
});
export type LimitItem = Static<typeof LimitItem>;

const Amount = { bytes: Decimal, files: Type.Integer() };

export const TRAFFIC_KINDS = ['offline', 'download', 'upload', 'shared'] as const;
export type TrafficKind = (typeof TRAFFIC_KINDS)[number];

export const ledgerApi = {
  limit: endpoint({
    ...own,
    name: 'ledger.limit',
    path: '/vip/v1/ledger/limit',
    summary: 'Explain your storage limit',
    description: 'Returns the parts whose sum is the limit.',
    reply: Type.Object({
      limit: Decimal,
      /** Bytes in use, including the trash. */
      used: Decimal,
      /** Bytes reserved for uploads and downloads that are in progress. */
      reserved: Decimal,
      parts: Type.Array(LimitItem),
    }),
  }),
  usage: endpoint({
    ...own,
    name: 'ledger.usage',
    path: '/vip/v1/ledger/usage',
    summary: 'Explain your storage usage',
    description:
      'Returns what the usage consists of, by kind of file and by folder. In a large drive that changes all the time, the numbers may be a few seconds old.',
    reply: Type.Object({
      used: Decimal,
      /** Files outside the trash, largest sum first. */
      kinds: Type.Array(Type.Object({ category: oneOf(FILE_CATEGORIES), ...Amount })),
      /** The largest folders at the top of the drive, largest first. */
      folders: Type.Array(Type.Object({ id: FolderId, name: Type.String(), ...Amount })),
      /** All other folders at the top of the drive together. */
      other_folders: Type.Object({ ...Amount, folders: Type.Integer() }),
      /** Files that are not in a folder. */
      root: Type.Object(Amount),
      trash: Type.Object(Amount),
      /** Earlier versions of files. */
      versions: Type.Object(Amount),
      /** Bytes that are neither: files that are being copied or deleted right now. */
      rest: Decimal,
    }),
  }),
  traffic: endpoint({
    ...own,
    name: 'ledger.traffic',
    path: '/vip/v1/ledger/traffic',
    summary: "Explain this month's traffic",
    description: 'Returns the bytes of each kind of traffic since the first of the month, Singapore time.',
    reply: Type.Object({
      /** When the month ends and the numbers start at zero again. */
      reset_time: Time,
      kinds: Type.Array(
        Type.Object({
          /** `shared` is what others download through the member's shares. */
          kind: oneOf(TRAFFIC_KINDS),
          used: Decimal,
          /** Per month, with the packs; `"-1"` for no limit. */
          limit: Decimal,
        }),
      ),
      /** Additional traffic that is part of the limits, the first to end first. */
      packs: Type.Array(Type.Object({ bytes: Decimal, until: MaybeTime })),
    }),
  }),
  entries: endpoint({
    ...own,
    name: 'ledger.entries',
    path: '/vip/v1/ledger/entries',
    summary: 'List the changes of your storage',
    description:
      'Returns all changes of the limit and of the usage, the newest first. `GET /vip/v1/ledger/export` accepts the same filters and returns all matching changes as a file: `format=csv` or `format=json`.',
    query: Type.Object({ ...filters, limit: Limit, page_token: PageToken }),
    reply: Type.Object({
      entries: Type.Array(LedgerItem),
      next_page_token: Type.String(),
      /** Causes that occur in the member's ledger, to filter by. */
      causes: Type.Array(Type.Object({ resource: oneOf(LEDGER_RESOURCES), cause: Type.String() })),
    }),
  }),
};
