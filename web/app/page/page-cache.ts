import { isbot } from 'isbot';
import {
  negotiateLocale,
  type ApiCall,
  type PageCookieOptions,
  type PageRequest,
  type PageServices,
  type ReadyPage,
} from '@bowerbird/contract';
import { DEVICE_COOKIE } from '#app/browser/device.ts';
import { deviceOf } from '#app/browser/platform.ts';
import { createTemplate, type Template } from './joined-gzip.ts';
import { isSameReply, knownReply, MARK, withSlots, withValues, type KnownReply } from './known-reply.ts';

type Handle = (request: Request, services: PageServices) => Promise<Response>;
type CachedHandle = (request: PageRequest, services: PageServices) => Promise<Response | ReadyPage>;
type Call = Parameters<ApiCall>;

/** Call of a page, with slots in its input, and its reply. */
interface CachedCall {
  readonly spec: Call[0];
  readonly input: string;
  /** Input of a call without slots: the same for all visitors. */
  readonly fixed: Call[1] | undefined;
  readonly reply: KnownReply;
}

/** Page as it was rendered for one visitor, with slots in place of what only that visitor has. */
interface CachedPage {
  readonly calls: readonly CachedCall[];
  readonly cookies: readonly {
    readonly name: string;
    readonly value: string;
    readonly options: PageCookieOptions | undefined;
  }[];
  readonly headers: ReadyPage['headers'];
  readonly template: Template;
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
export function withPageCache(handle: Handle, looks: ReadonlySet<string>): CachedHandle {
  const pages = new Map<string, CachedPage>();
  /** Renders whose page may be cached soon; other visitors wait for it. */
  const rendering = new Map<string, Promise<void>>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= pages.get(key)?.template.size ?? 0;
    pages.delete(key);
  }

  function keep(key: string, page: CachedPage): void {
    forget(key);
    pages.set(key, page);
    bytes += page.template.size;
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
    if (!look) return handle(fullOf(request), services);
    const { key, plainRequest, cookies } = look;
    const underWay = freshPage(key) ? undefined : rendering.get(key);
    if (underWay) await underWay;
    const replies = createReplies(services);
    const page = freshPage(key);
    const slots = page && (await slotsIfSame(page, services.nonce, replies));
    const ready = page && slots && filled(page, slots, services, request);
    if (ready) return ready;
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
      void recorder.page(response, page).then(finish, () => finish());
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
  request: PageRequest,
  { viewer, cookies, locale, origin }: PageServices,
  known: ReadonlySet<string>,
): { key: string; plainRequest: () => Request; cookies: Record<string, string> } | undefined {
  const { url } = request;
  if (request.method !== 'GET' || viewer || url.split(/[?#]/, 1)[0]!.endsWith('.data')) return undefined;
  const names = Object.keys(cookies).filter((name) => name !== DEVICE_COOKIE);
  if (!names.every((name) => known.has(name))) return undefined;
  const looks = Object.fromEntries(names.toSorted().map((name) => [name, cookies[name]!]));
  const key = JSON.stringify([url, origin, locale, browserOf(request), looks]);
  return { key, plainRequest: () => plainOf(fullOf(request), looks), cookies: looks };
}

/** Properties of browsers that pages see, by the headers that they send: the same few, again and again. */
const browsers = new Map<string, string>();
const MOST_BROWSERS = 1000;
const LONGEST_HEADERS = 1000;

function browserOf({ headers }: PageRequest): string {
  const sent = HEADERS.map((name) => headers.get(name) ?? '').join('\n');
  const known = browsers.get(sent);
  if (known !== undefined) return known;
  const browser = JSON.stringify([
    negotiateLocale(headers.get('accept-language') ?? undefined),
    deviceOf(headers),
    isbot(headers.get('user-agent') ?? ''),
  ]);
  if (browsers.size >= MOST_BROWSERS) browsers.clear();
  if (sent.length <= LONGEST_HEADERS) browsers.set(sent, browser);
  return browser;
}

const fullOf = (request: PageRequest): Request => request.full?.() ?? (request as Request);

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
  const kept: { name: string | undefined; readonly call: Call; readonly reply: Promise<unknown> }[] = [];
  const nameOf = ([spec, input]: Call): string => `${spec.name} ${JSON.stringify(input)}`;
  return {
    ask(...call) {
      const reply = services.call(...call);
      // A rejection is handled where the reply is taken.
      reply.catch(() => {});
      kept.push({ name: undefined, call, reply });
      return reply;
    },
    take: ((...call: Call) => {
      const at = kept.findIndex((one) => (one.name ??= nameOf(one.call)) === nameOf(call));
      return at < 0 ? services.call(...call) : kept.splice(at, 1)[0]!.reply;
    }) as unknown as ApiCall,
  };
}

/** Makes the calls of a page again. Returns this visitor's values for its slots if all replies are the same. */
async function slotsIfSame(
  page: CachedPage,
  nonce: string,
  { ask }: Replies,
): Promise<readonly string[] | undefined> {
  const slots = [nonce];
  for (const { spec, input, fixed, reply: expected } of page.calls) {
    const asked = fixed ?? (JSON.parse(withValues(input, slots)) as Call[1]);
    const reply = await ask(spec, asked).catch(() => undefined);
    if (reply === undefined) return undefined;
    slots.push(...personalTexts(reply));
    if (!isSameReply(reply, expected, slots)) return undefined;
  }
  return slots;
}

/** The page for one visitor; undefined if a value doesn't fit into its slots. */
function filled(
  { template, cookies, headers }: CachedPage,
  slots: readonly string[],
  services: PageServices,
  request: PageRequest,
): ReadyPage | undefined {
  const isCompressed = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
  const body = template.filled(slots, isCompressed);
  if (!body) return undefined;
  for (const { name, value, options } of cookies) services.setCookie(name, withValues(value, slots), options);
  return { headers: isCompressed ? [...headers, ['content-encoding', 'gzip']] : headers, body };
}

function createRecorder(services: PageServices, { take }: Replies) {
  const slots = [services.nonce];
  const calls: CachedCall[] = [];
  const cookies: { name: string; value: string; options: PageCookieOptions | undefined }[] = [];
  let failed = false;

  const call = async (...[spec, input]: Call): Promise<unknown> => {
    const asked = withSlots(JSON.stringify(input), slots);
    try {
      const reply = await take(spec, input as never);
      slots.push(...personalTexts(reply));
      const fixed = asked.includes(MARK) ? undefined : (JSON.parse(asked) as Call[1]);
      calls.push({ spec, input: asked, fixed, reply: knownReply(reply, slots) });
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
    async page({ headers }: Response, bytes: Uint8Array): Promise<CachedPage | undefined> {
      const expiresAt = Date.now() + LIFE_MS;
      if (failed) return undefined;
      // As Latin-1, each byte is a character.
      const texts = withSlots(Buffer.from(bytes).toString('latin1'), slots).split(MARK);
      const parts = texts.map((text, at) =>
        at % 2 === 0
          ? Buffer.from(text, 'latin1')
          : { slot: Number(text), bytes: slots[Number(text)]!.length },
      );
      const template = await createTemplate(parts);
      return { calls, cookies, headers: [...headers], template, expiresAt };
    },
  };
}

/** Texts in a reply that differ for each visitor, without any effect on how the page looks. */
function personalTexts(reply: unknown): string[] {
  const { pass_code_token: token } = (reply ?? {}) as { pass_code_token?: unknown };
  return typeof token === 'string' && token !== '' ? [token] : [];
}
