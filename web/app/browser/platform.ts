import { createContext, type MiddlewareFunction, type RouterContextProvider } from 'react-router';

/** Visitor's device, as far as its browser reveals it. */
export interface Device {
  readonly platform: 'android' | 'ios' | 'windows' | 'mac' | 'linux' | 'tv' | 'other';
  readonly browser: 'chrome' | 'edge' | 'samsung' | 'firefox' | 'safari' | 'other';
  readonly isPhone: boolean;
}

const TV = /smart-?tv|tizen.*\btv\b|web0s|bravia|android ?tv|googletv|hbbtv|\baft[a-z]+\b|crkey/i;

/**
 * Detects the device where the page is rendered, so that server and browser show the same. Client hints are
 * the most reliable; browsers without them are recognized by their user agent.
 */
export function deviceOf(headers: Pick<Headers, 'get'>): Device {
  const agent = headers.get('user-agent') ?? '';
  const hint = (headers.get('sec-ch-ua-platform') ?? '').replaceAll('"', '').toLowerCase();
  const platform = TV.test(agent) ? 'tv' : (HINTED[hint] ?? platformNamed(agent));
  return {
    platform,
    browser: browserNamed(agent),
    // Tablets have enough room for the desktop layout.
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

/** Order matters: every browser also identifies as those before it. */
function browserNamed(agent: string): Device['browser'] {
  if (/\bedg(?:e|a|ios)?\//i.test(agent)) return 'edge';
  if (/samsungbrowser/i.test(agent)) return 'samsung';
  if (/firefox|fxios/i.test(agent)) return 'firefox';
  if (/chrome|chromium|crios/i.test(agent)) return 'chrome';
  return /safari/i.test(agent) ? 'safari' : 'other';
}

/** True if platform cards link to the section for the visitor's own platform. */
export const platformCardAnchor = createContext(true);

/** On a phone, landing in the middle of a page hides what the page is about, so cards link to its top. */
export const disableMobilePlatformCardAnchor: MiddlewareFunction<Response> = ({ request, context }, next) => {
  if (deviceOf(request.headers).isPhone) context.set(platformCardAnchor, false);
  return next();
};

/** Returns the desktop page's section for the visitor's platform, or "" if cards have none. */
export function cardAnchorFor(request: Request, context: Readonly<RouterContextProvider>): string {
  const { platform } = deviceOf(request.headers);
  const isKnown = platform === 'windows' || platform === 'mac' || platform === 'linux';
  return isKnown && context.get(platformCardAnchor) ? `#${platform}` : '';
}
