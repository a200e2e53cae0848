import { isbot } from 'isbot';
import {
  negotiateLocale,
  replyText,
  type ApiCall,
  type PageCookieOptions,
  type PageServices,
} from '@bowerbird/contract';
import { DEVICE_COOKIE } from '#app/browser/device.ts';
import { deviceOf } from '#app/browser/platform.ts';
import { compressedPiece, joinedGzip, plainPiece } from './joined-gzip.ts';

type Handle = (request: Request, services: PageServices) => Promise<Response>;
type Call = Parameters<ApiCall>;

/** Text that is the same for all visitors. */
interface Piece {
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

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
  /** Pieces of the page, and the numbers of the slots between them. */
  readonly parts: readonly (Piece | number)[];
  readonly expiresAt: number;
}

const HEADERS = ['accept-language', 'user-agent', 'sec-ch-ua-platform', 'sec-ch-ua-mobile'] as const;

/** Also the greatest age of “now” on a page, which relative times are calculated from. */
const LIFE_MS = 60_000;
const MOST_BYTES = 8_000_000;

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
  let bytes = 0;

  function forget(key: string): void {
    bytes -= sizeOf(pages.get(key));
    pages.delete(key);
  }

  function keep(key: string, page: CachedPage): void {
    forget(key);
    pages.set(key, page);
    bytes += sizeOf(page);
    for (const oldest of pages.keys()) {
      if (bytes <= MOST_BYTES) break;
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
    const { key, plainRequest, cookies } = look;
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
      const response = await handle(plainRequest(), recorder.services);
      if (response.status !== 200 || !response.body || response.headers.has('set-cookie')) {
        finish();
        return response;
      }
      const page = await response.bytes();
      void recorder.page(response, page).then(finish);
      return new Response(page, response);
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
): { key: string; plainRequest: () => Request; cookies: Record<string, string> } | undefined {
  const { pathname } = new URL(request.url);
  if (request.method !== 'GET' || viewer || pathname.endsWith('.data')) return undefined;
  const names = Object.keys(cookies).filter((name) => name !== DEVICE_COOKIE);
  if (!names.every((name) => known.has(name))) return undefined;
  const looks = Object.fromEntries(names.toSorted().map((name) => [name, cookies[name]!]));

  const { headers } = request;
  const key = JSON.stringify([
    request.url,
    origin,
    locale,
    negotiateLocale(headers.get('accept-language') ?? undefined),
    deviceOf(headers),
    isbot(headers.get('user-agent') ?? ''),
    looks,
  ]);
  return { key, plainRequest: () => plainOf(request, looks), cookies: looks };
}

/** The request with only those headers that a page may depend on. */
function plainOf({ url, signal, headers: all }: Request, looks: Readonly<Record<string, string>>): Request {
  const headers = new Headers();
  for (const name of HEADERS) {
    const value = all.get(name);
    if (value !== null) headers.set(name, value);
  }
  const pairs = Object.entries(looks).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (pairs.length > 0) headers.set('cookie', pairs.join('; '));
  return new Request(url, { headers, signal });
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
    if (withSlots(replyText(reply), slots) !== expected) return undefined;
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
  const isCompressed = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
  if (isCompressed) headers.set('content-encoding', 'gzip');
  const values = slots.map((value) => Buffer.from(value));
  const plain = page.parts.map((part) => (typeof part === 'number' ? values[part]! : part.plain));
  const html = isCompressed
    ? joinedGzip(
        page.parts.map((part) => (typeof part === 'number' ? plainPiece(values[part]!) : part.compressed)),
        plain,
      )
    : Buffer.concat(plain);
  return new Response(new Uint8Array(html), { status: page.status, headers });
}

const sizeOf = (page: CachedPage | undefined): number =>
  page?.parts.reduce<number>(
    (size, part) => (typeof part === 'number' ? size : size + part.plain.length + part.compressed.length),
    0,
  ) ?? 0;

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
      calls.push({ spec, input: asked, reply: withSlots(replyText(reply), slots) });
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
    async page({ status, headers }: Response, bytes: Uint8Array): Promise<CachedPage | undefined> {
      const expiresAt = Date.now() + LIFE_MS;
      if (failed) return undefined;
      // As Latin-1, each byte is a character.
      const texts = withSlots(Buffer.from(bytes).toString('latin1'), slots).split(MARK);
      const parts = await Promise.all(
        texts.map(async (text, at) => {
          if (at % 2 === 1) return Number(text);
          const plain = Buffer.from(text, 'latin1');
          return { plain, compressed: await compressedPiece(plain) };
        }),
      );
      return { calls, cookies, status, headers: [...headers], parts, expiresAt };
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
