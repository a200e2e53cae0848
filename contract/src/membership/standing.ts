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
