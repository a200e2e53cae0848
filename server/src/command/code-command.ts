import { parseArgs } from 'node:util';
import { CODE_AUDIENCES } from '@bowerbird/contract';
import type { App } from '../app.ts';
import { DAY_MS, dayOf, MOST_DAYS, planOf, sizeOf, wholeNumber } from './argument.ts';
import { CommandMistake } from './command-mistake.ts';
import { withApp, type Say } from './command.ts';
import { sizeText, type Config } from '../foundation/index.ts';
import type { Batch } from '../membership/index.ts';

const OPTIONS = {
  plan: { type: 'string' },
  storage: { type: 'string' },
  days: { type: 'string' },
  uses: { type: 'string' },
  start: { type: 'string' },
  end: { type: 'string' },
  for: { type: 'string' },
  note: { type: 'string' },
} as const;

type Options = { readonly [Name in keyof typeof OPTIONS]?: string | undefined };
type Action = (app: App, words: readonly string[], options: Options, say: Say) => Promise<void>;

const MOST_CODES = 100_000;
const MOST_USES = 1_000_000;
const LONGEST_NOTE = 200;

const actions: Readonly<Record<string, Action>> = {
  async create(app, [count], options, say) {
    if (!count) throw new CommandMistake('How many codes? For example: code create 100 --plan vip --days 30');
    const { uses = '1', note = '' } = options;
    if (note.length > LONGEST_NOTE)
      throw new CommandMistake(`The note can have up to ${LONGEST_NOTE} characters.`);
    const startsAt = options.start === undefined ? undefined : timeOf(options.start);
    const endsAt = options.end === undefined ? undefined : timeOf(options.end);
    if (endsAt !== undefined && endsAt <= (startsAt ?? app.clock.now()))
      throw new CommandMistake('The end must be after the start, and in the future.');
    const batch = await app.batches.create({
      ...giftOf(app, options),
      count: wholeNumber('number of codes', count, MOST_CODES),
      uses: wholeNumber('uses', uses, MOST_USES),
      audience: audienceOf(options.for ?? 'everyone'),
      note,
      startsAt,
      endsAt,
    });
    say(`Created: ${describe(batch)}`);
    say(`To get the codes, run: npx bowerbird code export ${batch.id}`);
  },

  async list(app, _words, _options, say) {
    for (const { used, ...batch } of await app.batches.list()) {
      const isGone = batch.kind === 'plan' && !app.plans.find(batch.plan) && 'the plan doesn’t exist';
      const isOver = (batch.endsAt ?? Infinity) <= app.clock.now() && 'ended';
      const marks = [isOver, isGone, batch.note].filter(Boolean);
      say([batch.id, dayOf(batch.createdAt), describe(batch), `${used} redeemed`, ...marks].join('  '));
    }
  },

  async export(app, [id], _options, say) {
    const batch = await batchOf(app, id);
    say('code,redeemed,uses,accounts');
    for await (const { text, used, accounts } of app.batches.codes(batch)) {
      if (text === undefined)
        throw new CommandMistake(
          'The installation’s secret has changed since these codes were created, so they can’t be exported any more. They can still be redeemed.',
        );
      say([text, used, batch.uses, accounts.join(' ')].join(','));
    }
  },

  async end(app, [id], _options, say) {
    const batch = await batchOf(app, id);
    if (!(await app.batches.end(batch.id))) throw new CommandMistake(`Batch ${batch.id} has already ended.`);
    say(`The codes of batch ${batch.id} can’t be redeemed any more. What they granted stays.`);
  },
};

function giftOf(
  app: App,
  { plan, storage, days }: Options,
): Pick<Batch, 'kind' | 'plan' | 'bytes' | 'length'> {
  if ((plan === undefined) === (storage === undefined))
    throw new CommandMistake('What do the codes grant? Add either --plan PLAN or --storage SIZE.');
  if (days === undefined) throw new CommandMistake('For how many days? Add --days DAYS.');
  const length = wholeNumber('days', days, MOST_DAYS) * DAY_MS;
  if (plan !== undefined) return { kind: 'plan', plan: planOf(app, plan).id, bytes: 0, length };
  const bytes = sizeOf(storage!);
  if (bytes < 1 || !Number.isSafeInteger(bytes)) throw new CommandMistake('The size must be at least 1 B.');
  return { kind: 'storage', plan: '', bytes, length };
}

function audienceOf(name: string): Batch['audience'] {
  const audience = CODE_AUDIENCES.find((one) => one === name);
  if (!audience)
    throw new CommandMistake(`Who can redeem the codes? --for is one of: ${CODE_AUDIENCES.join(', ')}.`);
  return audience;
}

/** Parses `2026-12-24`, which is the start of that day in UTC, or `2026-12-24T18:00Z`. */
function timeOf(text: string): number {
  const isDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const time = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new CommandMistake(`${text} isn’t a date such as 2026-12-24 or 2026-12-24T18:00Z.`);
  return time;
}

async function batchOf(app: App, id: string | undefined): Promise<Batch> {
  if (!id) throw new CommandMistake('Which batch? code list shows all of them.');
  const batch = await app.batches.find(id);
  if (!batch) throw new CommandMistake(`There’s no batch ${id}. code list shows all of them.`);
  return batch;
}

/** `100 codes for vip, 30 days, 1 use each, until 2026-12-24`. */
function describe(batch: Batch): string {
  const gift = batch.kind === 'plan' ? batch.plan : sizeText(batch.bytes);
  return [
    `${count(batch.count, 'code')} for ${gift}`,
    count(batch.length / DAY_MS, 'day'),
    `${count(batch.uses, 'use')} each`,
    ...(batch.audience === 'everyone' ? [] : [`for ${batch.audience}`]),
    ...(batch.startsAt > batch.createdAt ? [`from ${timeText(batch.startsAt)}`] : []),
    ...(batch.endsAt === undefined ? [] : [`until ${timeText(batch.endsAt)}`]),
  ].join(', ');
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
const timeText = (time: number): string =>
  new Date(time)
    .toISOString()
    .replace(/T00:00:00\.000Z$|:00\.000Z$/, (end) => (end.startsWith('T') ? '' : 'Z'));

/** `code create|list|export|end`. */
export async function codeCommand(config: Config, args: readonly string[], say: Say): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  const [name = '', ...words] = positionals;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new CommandMistake(`Usage: code ${Object.keys(actions).join('|')}`);
  await withApp(config, (app) => action(app, words, values, say));
}
