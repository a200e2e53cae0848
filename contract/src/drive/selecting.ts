import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { Decimal, FolderId, Id, LooseSize, oneOf, PageToken, Time } from '../wire.ts';
import { FILE_CATEGORIES } from './categories.ts';

/** Conditions that an item has to meet, all of them. */
export const Conditions = Type.Object({
  name: Type.Optional(
    Type.String({
      maxLength: LIMITS.nameBytes,
      description:
        'Pattern for the whole name: `*` is any text, `?` any character. Without either, the text can be anywhere in the name. Case, accents and width are ignored.',
    }),
  ),
  categories: Type.Optional(Type.Array(oneOf(FILE_CATEGORIES), { maxItems: FILE_CATEGORIES.length })),
  /** In bytes, inclusive; folders never meet a condition about size. */
  min_size: Type.Optional(LooseSize),
  max_size: Type.Optional(LooseSize),
  /** Modified at this time or later. */
  modified_from: Type.Optional(Time),
  /** Modified before this time. */
  modified_before: Type.Optional(Time),
});
export type Conditions = Static<typeof Conditions>;

/** The properties of an item that choosing and renaming it need. */
export const Choice = Type.Object({
  id: Id,
  kind: Type.String(),
  name: Type.String(),
  size: Decimal,
  folder_size: Type.Optional(Decimal),
  parent_id: FolderId,
  modified_time: Time,
});
export type Choice = Static<typeof Choice>;

export const selectingApi = {
  select: endpoint({
    name: 'drive.select',
    method: 'POST',
    path: '/drive/v1/files:select',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Find items to select',
    description:
      'Returns the short form of items in a folder that meet conditions, or of the given items, in the order of a list. A page may be empty even though others follow.',
    body: Type.Object({
      parent_id: Type.Optional(FolderId),
      /** Only these; those that don’t exist are left out. */
      ids: Type.Optional(Type.Array(Id, { maxItems: LIMITS.renames })),
      except_ids: Type.Optional(Type.Array(Id, { maxItems: LIMITS.batch })),
      where: Type.Optional(Conditions),
      order: Type.Optional(Type.String()),
      folders_first: Type.Optional(Type.String({ description: '`true` (default) or `false`.' })),
      page_token: PageToken,
    }),
    bodyLimit: LIMITS.renamesBytes,
    reply: Type.Object({ items: Type.Array(Choice), next_page_token: Type.String() }),
    errors: ['file_not_found', 'invalid_argument', 'operating_file_count_exceeded'],
  }),
};
