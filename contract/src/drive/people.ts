import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty, Id, Limit, MaybeTime, oneOf, PageToken, ThumbnailSize, Time } from '../wire.ts';
import { File } from './file.ts';

/** Roles of a member in a file or folder of someone else: to open and download it, or also to change it. */
export const ACCESS_ROLES = ['viewer', 'editor'] as const;
export type AccessRole = (typeof ACCESS_ROLES)[number];
/** Roles that are given so far. */
const GIVEN_ROLES = ['viewer'] as const;

/** A member as other members see them: neither email address nor phone number. */
export const MemberProfile = Type.Object({
  user_id: Type.String(),
  name: Type.String(),
  avatar: Type.String(),
});
export type MemberProfile = Static<typeof MemberProfile>;

/** Access of a member to a file or folder, and to everything below it. */
export const AccessGrant = Type.Object({
  id: Id,
  file_id: Id,
  file_name: Type.String({ description: 'Name of the file or folder that access was given to.' }),
  person: MemberProfile,
  role: oneOf(ACCESS_ROLES),
  /** True until the member accepts: until then they can't open anything. */
  pending: Type.Boolean(),
  created_time: Time,
});
export type AccessGrant = Static<typeof AccessGrant>;

/** Something that others have shared with the caller. */
export const SharedItem = Type.Object({
  id: Id,
  owner: MemberProfile,
  role: oneOf(ACCESS_ROLES),
  pending: Type.Boolean(),
  muted: Type.Boolean({ description: 'True if its changes are neither shown nor reported.' }),
  created_time: Time,
  accepted_time: MaybeTime,
  name: Type.String(),
  kind: oneOf(['drive#file', 'drive#folder'] as const),
  file: Type.Union([Type.Null(), File], {
    description: '`null` until it is accepted, and while it is in the trash of its owner.',
  }),
});
export type SharedItem = Static<typeof SharedItem>;

const common = { host: 'drive', credentials: 'required' } as const;
const One = Type.Object({ id: Id });

/** Access of members to files and folders of others. */
export const peopleApi = {
  list: endpoint({
    ...common,
    name: 'people.list',
    method: 'GET',
    path: '/drive/v1/files/{id}/people',
    summary: 'List the people with access',
    description:
      'Returns the owner, and the members who have access to a file or folder, directly or through a folder above it. Members with access see those who have accepted.',
    params: One,
    reply: Type.Object({
      owner: MemberProfile,
      /** Role of the caller. */
      role: oneOf(['owner', ...ACCESS_ROLES] as const),
      people: Type.Array(AccessGrant),
    }),
    errors: ['file_not_found'],
  }),
  invite: endpoint({
    ...common,
    name: 'people.invite',
    method: 'POST',
    path: '/drive/v1/files/{id}/people',
    summary: 'Share with a member',
    description:
      'Invites a member to a file or folder of your own. They have access once they accept. Inviting them again changes the role.',
    params: One,
    body: Type.Object({
      to: Type.String({
        minLength: 1,
        maxLength: 254,
        description: 'The whole email address or phone number of their account, or its ID.',
      }),
      role: oneOf(GIVEN_ROLES),
    }),
    reply: AccessGrant,
    errors: ['file_not_found', 'person_not_found', 'person_is_owner', 'resource_exhausted', 'too_frequent'],
  }),
  change: endpoint({
    ...common,
    name: 'people.change',
    method: 'PATCH',
    path: '/drive/v1/people/{id}',
    summary: 'Change a role',
    description: 'Only the owner can do this.',
    params: One,
    body: Type.Object({ role: oneOf(GIVEN_ROLES) }),
    reply: AccessGrant,
    errors: ['access_not_found'],
  }),
  remove: endpoint({
    ...common,
    name: 'people.remove',
    method: 'DELETE',
    path: '/drive/v1/people/{id}',
    summary: 'End access',
    description:
      'The owner removes a member; a member leaves, or declines an invitation. Links to files that were given out end as well.',
    params: One,
    reply: Empty,
    errors: ['access_not_found'],
  }),
  shared: endpoint({
    ...common,
    name: 'people.shared',
    method: 'GET',
    path: '/drive/v1/shared',
    summary: 'List what others share with you',
    description: 'Returns invitations first, then what was accepted, the newest first.',
    query: Type.Object({
      limit: Limit,
      page_token: PageToken,
      thumbnail_size: Type.Optional(ThumbnailSize),
    }),
    reply: Type.Object({
      items: Type.Array(SharedItem),
      next_page_token: Type.String(),
      /** Number of invitations that wait for a decision. */
      pending: Type.Integer(),
    }),
    errors: ['invalid_argument'],
  }),
  accept: endpoint({
    ...common,
    name: 'people.accept',
    method: 'POST',
    path: '/drive/v1/shared/{id}/accept',
    summary: 'Accept an invitation',
    params: One,
    reply: SharedItem,
    errors: ['access_not_found'],
  }),
  mute: endpoint({
    ...common,
    name: 'people.mute',
    method: 'PATCH',
    path: '/drive/v1/shared/{id}',
    summary: 'Mute a shared item, or end that',
    params: One,
    body: Type.Object({ muted: Type.Boolean() }),
    reply: SharedItem,
    errors: ['access_not_found'],
  }),
};
