import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { oneOf } from '../wire.ts';

export const Password = Type.String({ maxLength: LIMITS.passwordMax });
/** The program that makes the call. */
export const Client = {
  client_id: Type.Optional(Type.String({ maxLength: 128 })),
  client_secret: Type.Optional(Type.String({ maxLength: 256 })),
  captcha_token: Type.Optional(Type.String({ maxLength: 4096 })),
};
/** `cookie` puts the session into an httpOnly cookie and no token into the reply: for our own pages. */
export const Delivery = Type.Optional(oneOf(['token', 'cookie'] as const));

/** Exactly one of the two is required. */
export const Address = {
  email: Type.Optional(Type.String({ maxLength: 320 })),
  /** With the country code: `+49 170 1234567`. */
  phone_number: Type.Optional(Type.String({ maxLength: 40 })),
};
