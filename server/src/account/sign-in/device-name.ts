/** Products that name themselves first, because those after them are in their names too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];
const LENGTH = 60;

/** What a person calls the thing that sent this User-Agent: "Firefox, Linux"; a program by its own word; "" where it said nothing. */
export function deviceName(userAgent: string): string {
  const named = (list: typeof BROWSERS): string | undefined =>
    list.find(([sign]) => sign.test(userAgent))?.[1];
  const words = [named(BROWSERS), named(SYSTEMS)].filter((word) => word !== undefined);
  if (words.length > 0) return words.join(', ');
  // Whatever a stranger wrote there is shown as plain letters.
  return (/^[\w.+-]{1,40}(?:\/[\w.+-]{1,20})?/.exec(userAgent)?.[0] ?? '').slice(0, LENGTH);
}
