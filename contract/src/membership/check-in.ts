import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Time } from '../wire.ts';

/** A UTC date such as 2026-11-28. */
const Day = Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` });

export const checkInApi = {
  /** The protocol has one endpoint for everything that earns a reward; here, only check-ins do. */
  reward: endpoint({
    name: 'checkIn.reward',
    method: 'POST',
    path: '/vip/v1/activity/rewardVip',
    host: 'drive',
    credentials: 'required',
    repeatable: true,
    summary: 'Check in for today',
    description: 'Only the type `sign_in` counts.',
    body: Type.Object({
      type: Type.String({ maxLength: 64 }),
      data: Type.Optional(Type.Unknown()),
    }),
    reply: Type.Object({
      /** True only for the call that counted as today's check-in. */
      updated: Type.Boolean(),
    }),
  }),
  month: endpoint({
    name: 'checkIn.month',
    method: 'GET',
    path: '/vip/v1/activity/signIns',
    host: 'drive',
    credentials: 'required',
    summary: 'List your check-in days in a month',
    description: 'Days are in UTC.',
    query: Type.Object({
      /** Such as 2026-11; the current month if absent. */
      month: Type.Optional(Type.String({ pattern: String.raw`^\d{4}-(?:0[1-9]|1[0-2])$` })),
    }),
    reply: Type.Object({
      today: Day,
      days: Type.Array(Day),
      /** Days in a row up to today, or up to yesterday while today is not over. */
      streak: Type.Integer(),
      /** True if the member has checked in today. */
      checked_in: Type.Boolean(),
      total: Type.Integer(),
      /** When the next day starts. */
      next_time: Time,
    }),
  }),
};
