import Type from 'typebox';
import { MaybeTime } from '../wire.ts';

/** The plan of a member. */
export const Standing = {
  /** RFC 3339, or "" if the plan does not end. */
  expire: MaybeTime,
  status: Type.String({ description: '`ok`, or `invalid` for the free plan.' }),
  /** Every member has the free plan, `novip`. */
  type: Type.String({ description: '`novip` or `platinum`.' }),
  user_id: Type.String(),
};

/** Plan and storage of a member in short, as several replies contain it. */
export const Base = {
  user_id: Type.String(),
  info: Type.String(),
  /** True if a plan renews by itself. */
  sub_status: Type.Boolean(),
  vip_status: Type.String(),
  expire_time: MaybeTime,
  /** The storage limit, shortened, such as `10G`. */
  assets: Type.String(),
  /** Bytes in use. */
  size: Type.Integer(),
};

/** All plans of a member besides the free one. */
export const Items = Type.Array(
  Type.Object({
    type: Type.String(),
    description: Type.String(),
    status: Type.String(),
    expire: MaybeTime,
    surplus_day: Type.Integer(),
  }),
);
