import {
  accountApi,
  ApiFailure,
  isErrorId,
  pathOf,
  type EndpointSpec,
  type ErrorEnvelope,
  type InputOf,
  type ReplyOf,
} from '@bowerbird/contract';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { withCaptcha } from './captcha.ts';

/** Caller of the API over HTTP. */
export interface Person {
  readonly headers: Readonly<Record<string, string>>;
  /** Calls an endpoint of the contract; rejects with its ApiFailure. */
  call<S extends EndpointSpec>(
    spec: S,
    input: InputOf<S>,
    headers?: Record<string, string>,
  ): Promise<ReplyOf<S>>;
  /** Sends any request with the person's credentials, and with a captcha token if it needs one. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
}

export interface Member extends Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

export function person(http: FastifyInstance, headers: Readonly<Record<string, string>> = {}): Person {
  const send = withCaptcha(http);
  const inject = (request: InjectOptions) =>
    send({ ...request, headers: { ...headers, ...request.headers } });
  return {
    headers,
    inject,
    async call<S extends EndpointSpec>(spec: S, input: InputOf<S>, extra: Record<string, string> = {}) {
      const { params, query, body, bytes } = input as {
        params?: Record<string, string>;
        query?: Record<string, unknown>;
        body?: object;
        bytes?: Blob;
      };
      const type = bytes ? 'application/octet-stream' : 'application/json';
      const text = JSON.stringify(body ?? {});
      const search = new URLSearchParams(
        Object.entries(query ?? {}).flatMap(([name, value]) =>
          [value].flat().map((one) => [name, String(one)]),
        ),
      );
      const url = pathOf(spec, params) + (search.size > 0 ? `?${search.toString()}` : '');
      const reply = await inject({
        method: spec.method,
        url,
        headers: { ...extra, ...(body ? { 'content-type': type } : {}) },
        ...(body
          ? { payload: bytes ? Buffer.concat([Buffer.from(`${text}\n`), await bytes.bytes()]) : text }
          : {}),
      });
      if (reply.statusCode < 400) return reply.json<ReplyOf<S>>();
      const { error, details, error_description: described } = reply.json<ErrorEnvelope>();
      const info = details.find((detail) => detail['@type'] === 'type.googleapis.com/google.rpc.ErrorInfo');
      throw new ApiFailure(
        isErrorId(error) ? error : 'unknown',
        info && 'metadata' in info ? info.metadata : {},
        described,
      );
    },
  };
}

export const PASSWORD = 'a bower of blue things';

/** Creates an account and returns its owner. */
export async function signUp(
  http: FastifyInstance,
  name: string,
  password: string = PASSWORD,
): Promise<Member> {
  const email = `${name}@example.org`;
  const grant = await person(http).call(accountApi.signUp, { body: { email, password, name } });
  const accessToken = grant.access_token!;
  return {
    ...person(http, { authorization: `Bearer ${accessToken}` }),
    id: grant.sub,
    email,
    password,
    accessToken,
    refreshToken: grant.refresh_token!,
  };
}

/** Signs a member in again, for example after the first session has expired. */
export async function signIn(http: FastifyInstance, { email, password }: Member): Promise<Member> {
  const grant = await person(http).call(accountApi.signIn, { body: { username: email, password } });
  const accessToken = grant.access_token!;
  return {
    ...person(http, { authorization: `Bearer ${accessToken}` }),
    id: grant.sub,
    email,
    password,
    accessToken,
    refreshToken: grant.refresh_token!,
  };
}
