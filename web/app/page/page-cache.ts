import { isbot } from 'isbot';
import {
  negotiateLocale,
  type ApiCall,
  type PageCookieOptions,
  type PageServices,
} from '@bowerbird/contract';
import { DEVICE_COOKIE } from '#app/browser/device.ts';
import { deviceOf } from '#app/browser/platform.ts';
import { compressedPiece, joinedGzip, plainPiece } from './joined-gzip.ts';

type Handle = (request: Request, services: PageServices) => Promise<Response>;
type Call = Parameters<ApiCall>;

/** Page as it was rendered for one visitor, with slots in place of what only that visitor has. */
interface CachedPage {
  readonly calls: readonly { readonly spec: Call[0]; readonly input: string; readonly reply: string }[];
  readonly cookies: readonly {
    readonly name: string;
    readonly value: string;
    readonly options: PageCookieOptions | undefined;
  }[];
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Latin-1 text whose characters are the bytes of the page. */
  readonly html: string;
  /** The text between the slots, compressed. */
  readonly compressed: readonly Buffer[];
  readonly expiresAt: number;
}

const HEADERS = ['accept-language', 'user-agent', 'sec-ch-ua-platform', 'sec-ch-ua-mobile'] as const;

/** Also the greatest age of “now” on a page, which relative times are calculated from. */
const LIFE_MS = 60_000;
const MOST_CHARACTERS = 8_000_000;

/**
 * Remembers for a minute how pages were rendered for visitors who aren't signed in. A page depends only on its request
 * and on the replies to its calls. The calls are made for every visitor, so states, passcodes and limits are always
 * checked and visits are counted; only the rendering is skipped, as long as all replies stay the same.
 * `looks` are the cookies that change how a page looks.
 */
export function withPageCache(handle: Handle, looks: ReadonlySet<string>): Handle {
  const pages = new Map<string, CachedPage>();
  /** Renders whose page may be cached soon; other visitors wait for it. */
  const rendering = new Map<string, Promise<void>>();
  let characters = 0;

  function forget(key: string): void {
    characters -= pages.get(key)?.html.length ?? 0;
    pages.delete(key);
  }

  function keep(key: string, page: CachedPage): void {
    forget(key);
    pages.set(key, page);
    characters += page.html.length;
    for (const oldest of pages.keys()) {
      if (characters <= MOST_CHARACTERS) break;
      forget(oldest);
    }
    setTimeout(() => pages.get(key) === page && forget(key), LIFE_MS).unref();
  }

  function freshPage(key: string): CachedPage | undefined {
    const page = pages.get(key);
    return page && page.expiresAt > Date.now() ? page : undefined;
  }

  return async (request, services) => {
    const look = lookOf(request, services, looks);
    if (!look) return handle(request, services);
    const { key, plain, cookies } = look;
    const underWay = freshPage(key) ? undefined : rendering.get(key);
    if (underWay) await underWay;
    const replies = createReplies(services);
    const page = freshPage(key);
    const slots = page && (await slotsIfSame(page, services.nonce, replies));
    if (page && slots) return filled(page, slots, services, request);
    if (page && pages.get(key) === page) forget(key);

    const { promise, resolve } = Promise.withResolvers<void>();
    rendering.set(key, promise);
    const finish = (made?: CachedPage): void => {
      if (made) keep(key, made);
      if (rendering.get(key) === promise) rendering.delete(key);
      resolve();
    };
    try {
      const recorder = createRecorder({ ...services, cookies }, replies);
      const response = await handle(plain, recorder.services);
      if (response.status !== 200 || !response.body || response.headers.has('set-cookie')) {
        finish();
        return response;
      }
      const [shown, kept] = response.body.tee();
      void recorder.page(response, kept).then(finish);
      return new Response(shown, response);
    } catch (error) {
      finish();
      throw error;
    }
  };
}

/**
 * Everything that a page may depend on besides its calls, as a key, and a request without the rest. Undefined if the
 * page is for one reader only.
 */
function lookOf(
  request: Request,
  { viewer, cookies, locale, origin }: PageServices,
  known: ReadonlySet<string>,
): { key: string; plain: Request; cookies: Record<string, string> } | undefined {
  const { pathname } = new URL(request.url);
  if (request.method !== 'GET' || viewer || pathname.endsWith('.data')) return undefined;
  const names = Object.keys(cookies).filter((name) => name !== DEVICE_COOKIE);
  if (!names.every((name) => known.has(name))) return undefined;
  const looks = Object.fromEntries(names.toSorted().map((name) => [name, cookies[name]!]));

  const headers = new Headers();
  for (const name of HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const pairs = Object.entries(looks).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (pairs.length > 0) headers.set('cookie', pairs.join('; '));
  const key = JSON.stringify([
    request.url,
    origin,
    locale,
    negotiateLocale(headers.get('accept-language') ?? undefined),
    deviceOf(headers),
    isbot(headers.get('user-agent') ?? ''),
    looks,
  ]);
  return { key, plain: new Request(request.url, { headers, signal: request.signal }), cookies: looks };
}

/** Replies to the calls for one visitor; each call is made once, even if the page has to be rendered after all. */
interface Replies {
  /** Makes a call and keeps the reply for {@link take}. */
  readonly ask: (...call: Call) => Promise<unknown>;
  /** Returns a reply that was kept, or makes the call. */
  readonly take: ApiCall;
}

function createReplies(services: PageServices): Replies {
  const kept = new Map<string, Promise<unknown>[]>();
  const nameOf = ([spec, input]: Call): string => `${spec.name} ${JSON.stringify(input)}`;
  return {
    ask(...call) {
      const reply = services.call(...call);
      // A rejection is handled where the reply is taken.
      reply.catch(() => {});
      const name = nameOf(call);
      kept.set(name, [...(kept.get(name) ?? []), reply]);
      return reply;
    },
    take: ((...call: Call) =>
      kept.get(nameOf(call))?.shift() ?? services.call(...call)) as unknown as ApiCall,
  };
}

/** Makes the calls of a page again. Returns this visitor's values for its slots if all replies are the same. */
async function slotsIfSame(
  page: CachedPage,
  nonce: string,
  { ask }: Replies,
): Promise<readonly string[] | undefined> {
  const slots = [nonce];
  for (const { spec, input, reply: expected } of page.calls) {
    const reply = await ask(spec, JSON.parse(withValues(input, slots)) as never).catch(() => undefined);
    if (reply === undefined) return undefined;
    slots.push(...personalTexts(reply));
    if (withSlots(JSON.stringify(reply), slots) !== expected) return undefined;
  }
  return slots;
}

function filled(
  page: CachedPage,
  slots: readonly string[],
  services: PageServices,
  request: Request,
): Response {
  for (const { name, value, options } of page.cookies)
    services.setCookie(name, withValues(value, slots), options);
  const headers = new Headers(page.headers.map(([name, value]): [string, string] => [name, value]));
  const html = Buffer.from(withValues(page.html, slots), 'latin1');
  if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? ''))
    return new Response(html, { status: page.status, headers });
  headers.set('content-encoding', 'gzip');
  const pieces = page.html
    .split(MARK)
    .map((piece, at) =>
      at % 2 === 0 ? page.compressed[at / 2]! : plainPiece(Buffer.from(slots[Number(piece)]!)),
    );
  return new Response(new Uint8Array(joinedGzip(pieces, html)), { status: page.status, headers });
}

function createRecorder(services: PageServices, { take }: Replies) {
  const slots = [services.nonce];
  const calls: { spec: Call[0]; input: string; reply: string }[] = [];
  const cookies: { name: string; value: string; options: PageCookieOptions | undefined }[] = [];
  let failed = false;

  const call = async (...[spec, input]: Call): Promise<unknown> => {
    const asked = withSlots(JSON.stringify(input), slots);
    try {
      const reply = await take(spec, input as never);
      slots.push(...personalTexts(reply));
      calls.push({ spec, input: asked, reply: withSlots(JSON.stringify(reply), slots) });
      return reply;
    } catch (error) {
      failed = true;
      throw error;
    }
  };

  return {
    services: {
      ...services,
      call: call as unknown as ApiCall,
      setCookie(name, value, options) {
        cookies.push({ name, value: withSlots(value, slots), options });
        services.setCookie(name, value, options);
      },
      logError(error) {
        failed = true;
        services.logError(error);
      },
    } satisfies PageServices,

    /** Returns the page once it has been rendered; undefined if anything about it failed. */
    async page({ status, headers }: Response, body: ReadableStream): Promise<CachedPage | undefined> {
      const expiresAt = Date.now() + LIFE_MS;
      try {
        const bytes = Buffer.from(await new Response(body).arrayBuffer());
        if (failed) return undefined;
        const html = withSlots(bytes.toString('latin1'), slots);
        const between = html.split(MARK).filter((_, at) => at % 2 === 0);
        const compressed = await Promise.all(
          between.map((piece) => compressedPiece(Buffer.from(piece, 'latin1'))),
        );
        return { calls, cookies, status, headers: [...headers], html, compressed, expiresAt };
      } catch {
        // The visitor left before the end of the page.
        return undefined;
      }
    },
  };
}

/** Texts in a reply that differ for each visitor, without any effect on how the page looks. */
function personalTexts(reply: unknown): string[] {
  const { pass_code_token: token } = (reply ?? {}) as { pass_code_token?: unknown };
  return typeof token === 'string' && token !== '' ? [token] : [];
}

/** No page contains this character. */
const MARK = '\u0000';

const withSlots = (text: string, slots: readonly string[]): string =>
  slots.reduce((open, value, slot) => open.replaceAll(value, `${MARK}${slot}${MARK}`), text);

const withValues = (text: string, slots: readonly string[]): string =>
  text
    .split(MARK)
    .map((piece, at) => (at % 2 === 0 ? piece : slots[Number(piece)]!))
    .join('');
