import Type, { type Static } from 'typebox';
import { StringMap, Time } from '../wire.ts';

/** Access to the object endpoint for one upload. */
export const Resumable = Type.Object({
  kind: Type.Literal('drive#resumable'),
  provider: Type.String(),
  params: Type.Object({
    access_key_id: Type.String(),
    access_key_secret: Type.String(),
    security_token: Type.String(),
    bucket: Type.String(),
    endpoint: Type.String(),
    key: Type.String(),
    expiration: Time,
  }),
});
export type UploadTicket = Static<typeof Resumable>;

/** A form to upload the bytes with: `multipart/form-data` with these fields, followed by the part `file`. */
export const Form = Type.Object({
  kind: Type.Literal('drive#form'),
  method: Type.Literal('POST'),
  url: Type.String(),
  headers: StringMap,
  multi_parts: StringMap,
});
export type UploadForm = Static<typeof Form>;
