import { createHash, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';

/** A small OpenID provider on loopback that validates the requests it gets. */
export interface OpenidProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The user who is signed in there. */
  person: { sub: string; email?: string; email_verified?: boolean; name?: string };
  /** Claims that ID tokens contain in addition, or instead of the true ones. */
  lies: JWTPayload;
  /** Additional or different fields of its discovery document. */
  document: Record<string, unknown>;
  /** Replacements for its answers, by path. */
  readonly instead: Map<string, (response: ServerResponse) => void>;
  /** Changes ID tokens after they are signed. */
  forge: (idToken: string) => string;
  /** Paths of all requests. */
  readonly requested: string[];
  /** Creates another key and signs with it from now on. */
  turnKeys(): Promise<void>;
  /** Signs with a key that is not published. */
  useForeignKey(): Promise<void>;
  /** Opens an address of the provider like a browser, and returns the redirect back to us. */
  visit(address: string): Promise<URL>;
  /** Rejected requests, with the reason. */
  readonly refused: string[];
}

interface Waiting {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

export async function openOpenidProvider({ port = 0 }: { port?: number } = {}): Promise<OpenidProvider> {
  const codes = new Map<string, Waiting>();
  const published: object[] = [];
  const refused: string[] = [];
  const clientId = 'the-drive';
  const clientSecret = 'a secret: with signs';
  let signing = { kid: '', key: (await generateKeyPair('RS256')).privateKey };

  const makeKey = async (isPublished: boolean): Promise<void> => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const kid = randomBytes(6).toString('hex');
    if (isPublished) published.push({ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' });
    signing = { kid: isPublished ? kid : ((published[0] as { kid: string }).kid ?? kid), key: privateKey };
  };
  await makeKey(true);

  const tokensFor = async ({ nonce }: Waiting) => ({
    access_token: 'theirs',
    token_type: 'Bearer',
    id_token: provider.forge(
      await new SignJWT({ ...provider.person, nonce, ...provider.lies })
        .setProtectedHeader({ alg: 'RS256', kid: signing.kid })
        .setIssuer((provider.lies.iss as string | undefined) ?? provider.issuer)
        .setAudience((provider.lies.aud as string | undefined) ?? clientId)
        .setIssuedAt()
        .setExpirationTime((provider.lies.exp as number | undefined) ?? '5m')
        .sign(signing.key),
    ),
  });

  function refusal(form: URLSearchParams, authorization: string | undefined): string | undefined {
    const waiting = codes.get(form.get('code') ?? '');
    const pair = [clientId, clientSecret].map((word) => encodeURIComponent(word)).join(':');
    if (authorization !== `Basic ${Buffer.from(pair).toString('base64')}`) return 'invalid_client';
    if (!waiting || form.get('grant_type') !== 'authorization_code') return 'invalid_grant';
    if (form.get('redirect_uri') !== waiting.redirectUri) return 'invalid_grant';
    const digest = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return digest === waiting.challenge ? undefined : 'invalid_grant';
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url!, provider.issuer);
    const say = (body: object, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    provider.requested.push(url.pathname);
    const other = provider.instead.get(url.pathname);
    if (other) return other(response);
    if (url.pathname === '/.well-known/openid-configuration')
      return say({
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        ...provider.document,
      });
    if (url.pathname === '/keys') return say({ keys: published });
    if (url.pathname === '/authorize') {
      const { searchParams: asked } = url;
      const code = randomBytes(8).toString('hex');
      codes.set(code, {
        challenge: asked.get('code_challenge')!,
        nonce: asked.get('nonce')!,
        redirectUri: asked.get('redirect_uri')!,
      });
      const back = new URL(asked.get('redirect_uri')!);
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state')!);
      return void response.writeHead(302, { location: back.href }).end();
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const error = refusal(form, request.headers.authorization);
      const waiting = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      if (error === undefined) return void tokensFor(waiting!).then((tokens) => say(tokens));
      refused.push(error);
      say({ error }, 400);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  const provider: OpenidProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId,
    clientSecret,
    person: { sub: 'u1', email: 'zoe@corp.example', email_verified: true, name: 'Zoe Bower' },
    lies: {},
    document: {},
    instead: new Map(),
    forge: (idToken) => idToken,
    requested: [],
    refused,
    turnKeys: () => makeKey(true),
    useForeignKey: () => makeKey(false),
    async visit(address) {
      const reply = await fetch(address, { redirect: 'manual' });
      return new URL(reply.headers.get('location')!);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  return provider;
}

/** Settings with which the product uses this provider. */
export const knowing = (
  provider: OpenidProvider,
  more: Record<string, string> = {},
): Record<string, string> => ({
  OPENID_ISSUER: provider.issuer,
  OPENID_CLIENT_ID: provider.clientId,
  OPENID_CLIENT_SECRET: provider.clientSecret,
  OPENID_LABEL: 'Corp',
  ...more,
});
