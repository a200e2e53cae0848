import { createHash } from 'node:crypto';
import { ANY, ApiFailure, scopeOf, type EndpointSpec, type InputOf, type ReplyOf } from '@bowerbird/contract';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/index.ts';
import type { Caller, Member } from './viewer.ts';

/** What a handler gets: the checked input, and who asks. */
export type Call<S extends EndpointSpec> = InputOf<S> & {
  readonly caller: Caller;
  /** Present where the endpoint's credentials are `required`; null for visitors where they are `optional`. */
  readonly viewer: S['credentials'] extends 'required' ? Member : Member | null;
};

export type Handler<S extends EndpointSpec> = (call: Call<S>) => Promise<ReplyOf<S>>;
type Parts = { params?: unknown; query?: unknown; body?: unknown };

interface Served {
  readonly spec: EndpointSpec;
  readonly run: (input: Parts, caller: Caller) => Promise<unknown>;
}

export interface Api {
  /** Says who answers an endpoint. Each is answered once. */
  handle<S extends EndpointSpec>(spec: S, handler: Handler<S>): void;
  /** Makes a call in this process, with the same checks as over HTTP. */
  call<S extends EndpointSpec>(spec: S, input: InputOf<S>, caller: Caller): Promise<ReplyOf<S>>;
  readonly served: ReadonlyMap<string, Served>;
}

interface ReplayTables {
  replay: { key: string; reply: string | null; created_at: number };
}

/** `null` means absent wherever it comes. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) => (entry === null ? [] : [[name, withoutNulls(entry)]])),
  );
}

/** So does the empty string, where a field may be absent and no text is asked for: in numbers and choices. */
function withoutBlanks(schema: Fields, value: unknown): unknown {
  const { properties, required = [] } = schema;
  if (!properties || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) => {
      const field = Object.hasOwn(properties, name) ? properties[name]! : {};
      const isBlank = entry === '' && !required.includes(name) && !Value.Check(field, entry);
      return isBlank ? [] : [[name, withoutBlanks(field, entry)]];
    }),
  );
}

interface Fields {
  readonly properties?: Readonly<Record<string, Fields>>;
  readonly required?: readonly string[];
}

function checker(spec: EndpointSpec): (input: Parts) => Parts {
  const checks = (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = spec[part];
    return schema ? [{ part, schema, compiled: Compile(schema) }] : [];
  });
  return (input) => {
    const checked: Parts = {};
    for (const { part, schema, compiled } of checks) {
      const given = withoutNulls(input[part] ?? {});
      const value = compiled.Check(given) ? given : Value.Convert(schema, withoutBlanks(schema, given));
      if (!compiled.Check(value)) {
        const [first] = compiled.Errors(value);
        throw new ApiFailure('invalid_argument', {
          field: first?.instancePath.slice(1) || part,
          reason: first?.message ?? '',
        });
      }
      checked[part] = value;
    }
    return checked;
  };
}

const CLAIMS_HOLD_MS = 60_000;

export function createApi({ database, clock }: { database: Database; clock: Clock }): Api {
  const served = new Map<string, Served>();

  /** Takes a key for one execution; false where another one has it. A claim that outlived any handler is a killed process's. */
  async function claim(key: string): Promise<boolean> {
    const now = clock.now();
    const result = await database.transaction((tx) =>
      tx
        .on<ReplayTables>()
        .insertInto('replay')
        .values({ key, reply: null, created_at: now })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({ created_at: now })
            .where('replay.reply', 'is', null)
            .where('replay.created_at', '<', now - CLAIMS_HOLD_MS),
        )
        .executeTakeFirst(),
    );
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** A mutation that is retried with its key takes effect once: later calls get the first one's reply. */
  async function once(key: string, work: () => Promise<unknown>): Promise<unknown> {
    const known = await database
      .on<ReplayTables>()
      .selectFrom('replay')
      .select('reply')
      .where('key', '=', key)
      .executeTakeFirst();
    if (known?.reply) return JSON.parse(known.reply);
    if (!(await claim(key))) throw new ApiFailure('unavailable');
    try {
      const reply = await work();
      await database.transaction((tx) =>
        tx
          .on<ReplayTables>()
          .updateTable('replay')
          .set({ reply: JSON.stringify(reply) })
          .where('key', '=', key)
          .execute(),
      );
      return reply;
    } catch (error) {
      await database.transaction((tx) =>
        tx.on<ReplayTables>().deleteFrom('replay').where('key', '=', key).execute(),
      );
      throw error;
    }
  }

  const serve = (spec: EndpointSpec, handler: Handler<EndpointSpec>): Served => {
    const check = checker(spec);
    const scope = scopeOf(spec);
    return {
      spec,
      async run(input, asking) {
        const isMeant = scope === ANY || (asking.viewer?.scopes.has(scope) ?? true);
        if (spec.credentials === 'required' && !asking.viewer)
          throw new ApiFailure((await asking.refusal()) ?? 'unauthenticated');
        if (spec.credentials === 'required' && !isMeant) throw new ApiFailure('permission_denied', { scope });
        // Where anyone may ask, a token that is meant for something else is a visitor's.
        const caller = isMeant ? asking : { ...asking, viewer: null };
        const { viewer } = caller;
        const checked = check(input);
        const work = () => handler({ ...checked, caller, viewer } as never);
        // Calls that need nobody signed in hand out sessions: their replies are not kept.
        const isKept =
          spec.credentials !== 'none' && spec.method !== 'GET' && !spec.secretReply && !spec.repeatable;
        if (!viewer || !isKept || !caller.idempotencyKey) return work();
        return once(
          createHash('sha256')
            .update(JSON.stringify([viewer.account, spec.name, caller.idempotencyKey]))
            .digest('hex'),
          work,
        );
      },
    };
  };

  return {
    served,
    handle(spec, handler) {
      if (served.has(spec.name)) throw new Error(`${spec.name} is answered twice`);
      served.set(spec.name, serve(spec, handler as unknown as Handler<EndpointSpec>));
    },
    async call<S extends EndpointSpec>(spec: S, input: InputOf<S>, caller: Caller) {
      const found = served.get(spec.name);
      if (!found) throw new Error(`${spec.name} is not answered`);
      return (await found.run(input as Parts, caller)) as ReplyOf<S>;
    },
  };
}

const REPLAYS_KEPT_MS = 24 * 3600 * 1000;

/** Forgets replies that nobody retries any more, and claims that a killed process left behind. */
export async function forgetReplays(database: Database, clock: Clock): Promise<void> {
  await database.transaction((tx) =>
    tx
      .on<ReplayTables>()
      .deleteFrom('replay')
      .where('created_at', '<', clock.now() - REPLAYS_KEPT_MS)
      .execute(),
  );
}
