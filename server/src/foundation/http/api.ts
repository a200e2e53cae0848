import { hash } from 'node:crypto';
import {
  ANY,
  ApiFailure,
  scopeOf,
  takesKey,
  type EndpointSpec,
  type FieldsOf,
  type InputOf,
  type ReplyOf,
} from '@bowerbird/contract';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/index.ts';
import type { Ids } from '../id.ts';
import type { Log } from '../log.ts';
import { isKnown, NOT_MODIFIED, type Validator } from './entity-tag.ts';
import { createOnce, digest, sorted, type UnderKey } from './once.ts';
import { memberOf, type Caller, type Member } from './viewer.ts';

/** Argument of a handler: the checked input and the caller. */
export type Call<S extends EndpointSpec> = FieldsOf<S> &
  (S extends { readonly bytes: true } ? { readonly bytes: Uint8Array } : {}) & {
    readonly caller: Caller;
    /** Present if the endpoint's credentials are `required`; null for visitors if they are `optional`. */
    readonly viewer: S['credentials'] extends 'required' ? Member : Member | null;
    /** Entity tag of the reply, over HTTP, if the endpoint has one. */
    readonly version?: string | undefined;
  };

export type Handler<S extends EndpointSpec> = (call: Call<S>) => Promise<ReplyOf<S>>;

export type PreparedHandler<S extends EndpointSpec, Prepared> = (
  call: Call<S>,
  prepared: Prepared,
) => Promise<ReplyOf<S>>;

export interface HandlerOptions<S extends EndpointSpec, Prepared = unknown> {
  /** Relation of a call's work to its `Idempotency-Key`; `separate` if absent. */
  readonly underKey?: UnderKey | ((call: Call<S>) => UnderKey);
  /** Slow work before a `joined` one: it may be done in vain, or again, and must have no effects that anyone notices. */
  readonly prepare?: (call: Call<S>) => Promise<Prepared>;
  /**
   * Returns the {@link entityTag} of the reply, without reading what the reply is made of. It is read before the
   * handler runs, so a change in between belongs to the next version. Callers who know the version get 304.
   */
  readonly version?: (call: Call<S>) => Promise<string | undefined>;
}

type Parts = { params?: unknown; query?: unknown; body?: unknown; bytes?: Uint8Array | undefined };

export interface Served {
  readonly spec: EndpointSpec;
  /** Returns the reply, or NOT_MODIFIED if the validator knows it. */
  readonly run: (input: Parts, caller: Caller, validator?: Validator) => Promise<unknown>;
}

export interface Api {
  /** Registers the handler of an endpoint. Each endpoint has one. */
  handle<S extends EndpointSpec>(spec: S, handler: Handler<S>): void;
  handle<S extends EndpointSpec, Prepared>(
    spec: S,
    options: HandlerOptions<S, Prepared>,
    handler: PreparedHandler<S, Prepared>,
  ): void;
  /** Makes a call in this process, with the same checks as over HTTP. */
  call<S extends EndpointSpec>(spec: S, input: InputOf<S>, caller: Caller): Promise<ReplyOf<S>>;
  readonly served: ReadonlyMap<string, Served>;
}

/** Treats `null` as absent everywhere. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) => (entry === null ? [] : [[name, withoutNulls(entry)]])),
  );
}

/** OAuth treats a parameter without a value as omitted (RFC 6749, 3.1 and 3.2). */
const withoutEmpty = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** Treats the empty string as absent too, in optional fields that are not text: numbers and choices. */
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

const checksOf = (spec: EndpointSpec) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = spec[part];
    return schema ? [{ part, schema, compiled: Compile(schema) }] : [];
  });

function checker(spec: EndpointSpec): (input: Parts) => Parts {
  // Compiled for the first call: together, the schemas of all endpoints take 70 ms and 4.5 MB.
  let checks: ReturnType<typeof checksOf> | undefined;
  return (input) => {
    checks ??= checksOf(spec);
    const checked: Parts = {};
    for (const { part, schema, compiled } of checks) {
      const present = withoutNulls(input[part] ?? {}) as object;
      const given = spec.oauth ? withoutEmpty(present) : present;
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

export function createApi({
  database,
  clock,
  ids,
  log,
}: {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Log;
}): Api {
  const served = new Map<string, Served>();
  const once = createOnce({ database, clock, ids, log });

  const serve = (
    spec: EndpointSpec,
    handler: PreparedHandler<EndpointSpec, unknown>,
    { underKey = 'separate', prepare, version }: HandlerOptions<EndpointSpec>,
  ): Served => {
    const check = checker(spec);
    const scope = scopeOf(spec);
    return {
      spec,
      async run(input, asking, validator) {
        const isMeant = scope === ANY || (asking.viewer?.scopes.has(scope) ?? true);
        if (spec.credentials === 'required') await memberOf(asking, scope);
        // On endpoints open to visitors, a token for another scope counts as a visitor's.
        const caller = isMeant ? asking : { ...asking, viewer: null };
        const { viewer } = caller;
        const checked = check(input);
        const { bytes } = input;
        const call = { ...checked, bytes, caller, viewer } as Call<EndpointSpec>;
        const getReady = async () => prepare?.(call);
        if (version && validator) {
          validator.current = await version(call);
          if (validator.current !== undefined && isKnown(validator.current, validator.known))
            return NOT_MODIFIED;
        }
        const work = (prepared: unknown) => handler({ ...call, version: validator?.current }, prepared);
        if (!viewer || !takesKey(spec) || !caller.idempotencyKey) return work(await getReady());
        const content = bytes === undefined ? [] : [hash('sha256', bytes)];
        return once(
          {
            key: digest([viewer.account, spec.name, caller.idempotencyKey]),
            digest: digest(sorted([checked.params, checked.query, checked.body, ...content])),
            underKey: typeof underKey === 'function' ? underKey(call) : underKey,
          },
          getReady,
          work,
        );
      },
    };
  };

  return {
    served,
    handle<S extends EndpointSpec, Prepared>(
      spec: S,
      ...said: [Handler<S>] | [HandlerOptions<S, Prepared>, PreparedHandler<S, Prepared>]
    ) {
      if (served.has(spec.name)) throw new Error(`${spec.name} has two handlers`);
      const [options, handler] = said.length === 1 ? [{}, said[0]] : said;
      served.set(
        spec.name,
        serve(
          spec,
          handler as unknown as PreparedHandler<EndpointSpec, unknown>,
          options as unknown as HandlerOptions<EndpointSpec>,
        ),
      );
    },
    async call<S extends EndpointSpec>(spec: S, input: InputOf<S>, caller: Caller) {
      const found = served.get(spec.name);
      if (!found) throw new Error(`${spec.name} has no handler`);
      const { bytes, ...fields } = input as { bytes?: Blob };
      return (await found.run({ ...fields, bytes: await bytes?.bytes() }, caller)) as ReplyOf<S>;
    },
  };
}
