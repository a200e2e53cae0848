import { createContext, type MiddlewareFunction, type RouterContextProvider } from 'react-router';

/** What a visitor holds, as far as its browser says. */
export interface Device {
  readonly platform: 'android' | 'ios' | 'windows' | 'mac' | 'linux' | 'tv' | 'other';
  readonly browser: 'chrome' | 'edge' | 'samsung' | 'firefox' | 'safari' | 'other';
  readonly isPhone: boolean;
}

const TV = /smart-?tv|tizen.*\btv\b|web0s|bravia|android ?tv|googletv|hbbtv|\baft[a-z]+\b|crkey/i;

/**
 * Read where the page is rendered and handed on with its data, so that server and browser show the same. Client hints
 * say it best; the others say it in their name.
 */
export function deviceOf(headers: Headers): Device {
  const agent = headers.get('user-agent') ?? '';
  const hint = (headers.get('sec-ch-ua-platform') ?? '').replaceAll('"', '').toLowerCase();
  const platform = TV.test(agent) ? 'tv' : (HINTED[hint] ?? platformNamed(agent));
  return {
    platform,
    browser: browserNamed(agent),
    // A tablet has room for what a computer shows.
    isPhone:
      platform !== 'tv' && (headers.get('sec-ch-ua-mobile') === '?1' || /iphone|ipod|\bmobi/i.test(agent)),
  };
}

const HINTED: Readonly<Record<string, Device['platform']>> = {
  android: 'android',
  ios: 'ios',
  windows: 'windows',
  macos: 'mac',
  linux: 'linux',
  'chrome os': 'linux',
};

function platformNamed(agent: string): Device['platform'] {
  if (/iphone|ipad|ipod/i.test(agent)) return 'ios';
  if (/android/i.test(agent)) return 'android';
  if (/windows/i.test(agent)) return 'windows';
  if (/mac os x|macintosh/i.test(agent)) return 'mac';
  return /linux|cros/i.test(agent) ? 'linux' : 'other';
}

/** Every browser also calls itself by the names of those before it. */
function browserNamed(agent: string): Device['browser'] {
  if (/\bedg(?:e|a|ios)?\//i.test(agent)) return 'edge';
  if (/samsungbrowser/i.test(agent)) return 'samsung';
  if (/firefox|fxios/i.test(agent)) return 'firefox';
  if (/chrome|chromium|crios/i.test(agent)) return 'chrome';
  return /safari/i.test(agent) ? 'safari' : 'other';
}

/** Whether cards of platforms lead to the part of a page that is about the visitor's own. */
export const platformCardAnchor = createContext(true);

/** A phone shows little of a page at once: who lands in its middle does not see what it is. There cards lead to its top. */
export const disableMobilePlatformCardAnchor: MiddlewareFunction<Response> = ({ request, context }, next) => {
  if (deviceOf(request.headers).isPhone) context.set(platformCardAnchor, false);
  return next();
};

/** The part of the desktop page for the visitor's platform; "" where cards have none. */
export function cardAnchorFor(request: Request, context: Readonly<RouterContextProvider>): string {
  const { platform } = deviceOf(request.headers);
  const isKnown = platform === 'windows' || platform === 'mac' || platform === 'linux';
  return isKnown && context.get(platformCardAnchor) ? `#${platform}` : '';
}
