import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { oneOf, Time } from '../wire.ts';

/** Six million bytes in base64. */
const PICTURE_TEXT_MAX = 8_000_000;

export const Profile = Type.Object({
  sub: Type.String(),
  name: Type.String(),
  /** Address of the picture, or "". */
  picture: Type.String(),
  /** Masked: `a***@example.org`. */
  email: Type.String(),
  /** Masked: `+49*******567`; "" where there is none. */
  phone_number: Type.String(),
  password: oneOf(['SET', 'UNSET'] as const),
  status: oneOf(['ACTIVE', 'FROZEN'] as const),
  /** True for administrators. */
  operator: Type.Boolean(),
  /** True if sign-ins from new places are reported by email. */
  new_device_mail: Type.Boolean(),
  /** True if emails are sent before a plan ends. */
  plan_mail: Type.Boolean(),
  /**
   * External accounts that the member signs in with: the provider's host, their ID there, and their address there,
   * masked.
   */
  providers: Type.Array(
    Type.Object({ id: Type.String(), provider_user_id: Type.String(), name: Type.String() }),
  ),
  created_at: Time,
  password_updated_at: Type.String(),
});
export type Profile = Static<typeof Profile>;

export const profileApi = {
  me: endpoint({
    name: 'account.me',
    method: 'GET',
    path: '/v1/user/me',
    host: 'user',
    credentials: 'required',
    summary: 'Get your profile',
    reply: Profile,
    errors: ['unauthenticated'],
  }),
  changeMe: endpoint({
    name: 'account.changeMe',
    method: 'PATCH',
    path: '/v1/user/me',
    host: 'user',
    credentials: 'required',
    summary: 'Update your profile',
    description: 'Changes your name, the language of your emails, or which emails you receive.',
    body: Type.Object({
      name: Type.Optional(Type.String({ maxLength: 256 })),
      locale: Type.Optional(Type.String()),
      new_device_mail: Type.Optional(Type.Boolean()),
      plan_mail: Type.Optional(Type.Boolean()),
    }),
    reply: Profile,
    errors: ['unauthenticated'],
  }),
  setPicture: endpoint({
    name: 'account.setPicture',
    method: 'PUT',
    path: '/v1/user/me/picture',
    host: 'user',
    credentials: 'required',
    repeatable: true,
    bodyLimit: PICTURE_TEXT_MAX + 1000,
    summary: 'Set your profile picture',
    description:
      'Accepts JPEG, PNG, GIF, WebP, HEIF or TIFF in base64, up to 6 million bytes. The picture is cropped to a square and re-encoded.',
    body: Type.Object({ picture: Type.String({ maxLength: PICTURE_TEXT_MAX }) }),
    reply: Profile,
    errors: ['unauthenticated', 'too_frequent', 'unsupported'],
  }),
  removePicture: endpoint({
    name: 'account.removePicture',
    method: 'DELETE',
    path: '/v1/user/me/picture',
    host: 'user',
    credentials: 'required',
    repeatable: true,
    summary: 'Delete your profile picture',
    reply: Profile,
    errors: ['unauthenticated'],
  }),
};
