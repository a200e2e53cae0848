import { ERRORS, takesKey, type EndpointSpec, type ErrorId } from '@bowerbird/contract';
import { errorText } from '../foundation/index.ts';

/** Any schema of the contract, as the documentation reads it. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

const EVERYWHERE: readonly ErrorId[] = ['invalid_argument', 'internal', 'unavailable'];

/** Every error of a call. */
export function errorsOf(spec: EndpointSpec): ErrorId[] {
  const signedIn: ErrorId[] = spec.credentials === 'required' ? ['unauthenticated'] : [];
  const keyed: ErrorId[] = takesKey(spec) ? ['outcome_unknown'] : [];
  return [...new Set([...(spec.errors ?? []), ...signedIn, ...keyed, ...EVERYWHERE])];
}

/** Group of a call: the first word of its name. */
export function tagOf(spec: EndpointSpec): string {
  return spec.name.split('.')[0]!;
}

const envelope = {
  type: 'object',
  required: ['error', 'error_code', 'error_description', 'error_url', 'details', 'error_details'],
  properties: {
    error: {
      type: 'string',
      enum: Object.keys(ERRORS),
      description: 'Identifier of the error. Programs should check this field.',
    },
    error_code: { type: 'integer' },
    error_description: { type: 'string', description: 'Message for people, in the language of the request.' },
    error_url: { type: 'string', description: 'Link to the error in the reference.' },
    details: { type: 'array', items: { type: 'object' } },
    error_details: { type: 'array', items: { type: 'object' }, description: 'Same as `details`.' },
  },
};

function parameters(spec: EndpointSpec): object[] {
  const partsOf = (place: 'path' | 'query', schema: Schema | undefined): object[] =>
    Object.entries(schema?.properties ?? {}).map(([name, { description, ...rest }]) => ({
      name,
      in: place,
      required: place === 'path' || schema?.required?.includes(name) === true,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }));
  const captcha = {
    name: 'x-captcha-token',
    in: 'header',
    required: false,
    description: 'Captcha token. Visitors need one if the service requires it.',
    schema: { type: 'string' },
  };
  return [
    ...partsOf('path', spec.params),
    ...partsOf('query', spec.query),
    ...(spec.captcha ? [captcha] : []),
  ];
}

/** OpenAPI has one response per status, so errors with the same status are combined. */
function failures(spec: EndpointSpec): [string, object][] {
  const byStatus = Map.groupBy(errorsOf(spec), (id) => String(ERRORS[id].status));
  return [...byStatus].map(([status, ids]) => [
    status,
    {
      description: ids.map((id) => `\`${id}\`: ${errorText('en-US', id)}`).join('\n\n'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
}

/** Describes the format of calls with bytes, in Markdown. */
export const BYTES_FOLLOW =
  'The request consists of the body as JSON in a single line, a line feed, and the bytes of the files.';

function contentOf({ body, bytes }: EndpointSpec): object | undefined {
  if (!body) return undefined;
  const json = { 'application/json': { schema: body } };
  if (!bytes) return { ...json, 'application/x-www-form-urlencoded': { schema: body } };
  const binary = { type: 'string', format: 'binary', description: BYTES_FOLLOW };
  return { ...json, 'application/octet-stream': { schema: binary } };
}

function operation(spec: EndpointSpec): object {
  const content = contentOf(spec);
  const signedIn = [{ bearer: [] }, { session: [] }];
  return {
    operationId: spec.name,
    tags: [tagOf(spec)],
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    security: { none: [], optional: [{}, ...signedIn], required: signedIn }[spec.credentials],
    parameters: parameters(spec),
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: {
      [spec.status ?? 200]: {
        description: 'Success',
        content: { 'application/json': { schema: spec.reply } },
      },
      ...Object.fromEntries(failures(spec)),
    },
  };
}

/** The contract as OpenAPI 3.1. */
export function openApi(
  endpoints: readonly EndpointSpec[],
  { origin, version }: { origin: string; version: string },
) {
  const paths: Record<string, Record<string, object>> = {};
  for (const spec of endpoints) (paths[spec.path] ??= {})[spec.method.toLowerCase()] = operation(spec);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bowerbird',
      version,
      description:
        'A cloud drive with file sharing. Sizes and counts are decimal strings. Times are RFC 3339 strings.',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: origin }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: envelope },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        session: { type: 'apiKey', in: 'cookie', name: 'pp_session' },
      },
    },
  };
}
