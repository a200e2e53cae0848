import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Time } from '../wire.ts';

/** A UTC date such as 2026-11-28. */
const Day = Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` });

/** Things that a member can do once, and may get days of a plan for. The server knows from its own data whether they did. */
export const TASK_SCENES = ['upload_file'] as const;
export type TaskScene = (typeof TASK_SCENES)[number];

const TaskStatus = Type.Object({
  /** `done` or `undone`. */
  result: Type.String(),
  /** True once the reward for it was given. */
  rewarded: Type.Boolean(),
  /** False if a reward asks for a captcha token first, because something looks suspicious. */
  bot_checked: Type.Boolean(),
});

export const checkInApi = {
  reward: endpoint({
    name: 'checkIn.reward',
    method: 'POST',
    path: '/vip/v1/activity/rewardVip',
    host: 'drive',
    credentials: 'required',
    captcha: 'reward',
    repeatable: true,
    summary: 'Check in for today, or claim a reward',
    description:
      'The type is `sign_in` to check in, or `upload_file` to claim the reward for the first upload. Other types, such as `install_web_pikpak_extension`, are accepted and have no effect.',
    body: Type.Object({
      type: Type.String({ maxLength: 64 }),
      data: Type.Optional(Type.Unknown()),
    }),
    reply: Type.Object({
      /** True only for the call that counted as today's check-in, or that got the reward. */
      updated: Type.Boolean(),
    }),
    errors: ['captcha_token_invalid'],
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
      /** Days of a plan that check-ins in this month earned. */
      earned: Type.Array(Type.Object({ day: Day, days: Type.Integer() })),
      /** Days that all check-ins together earned. */
      earned_days: Type.Integer(),
    }),
  }),
  task: endpoint({
    name: 'checkIn.task',
    method: 'GET',
    path: '/vip/v1/task/status',
    host: 'drive',
    credentials: 'required',
    summary: 'Check whether you did a task',
    description: 'The scene is `upload_file`, or `free_vip` for getting the free days.',
    query: Type.Object({ scene: Type.String({ maxLength: 64 }) }),
    reply: Type.Object({ data: TaskStatus }),
  }),
  tasks: endpoint({
    name: 'checkIn.tasks',
    method: 'GET',
    path: '/vip/v1/task/status:batchGet',
    host: 'drive',
    credentials: 'required',
    summary: 'Check which tasks you did',
    query: Type.Object({
      scene: Type.Union([
        Type.String({ maxLength: 64 }),
        Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20 }),
      ]),
    }),
    /** By task. */
    reply: Type.Object({ data: Type.Record(Type.String(), TaskStatus) }),
  }),
};
