import { index, layout, route, type RouteConfig, type RouteConfigEntry } from '@react-router/dev/routes';

/** Addresses are case-sensitive: `/FAQ` is not `/faq`. */
const exactly = (routes: RouteConfigEntry[]): RouteConfigEntry[] =>
  routes.map((one) => ({
    ...one,
    ...(one.path === undefined ? {} : { caseSensitive: true }),
    ...(one.children === undefined ? {} : { children: exactly(one.children) }),
  }));

export default exactly([
  // Routes without a locale segment; the root's middleware removes one.
  layout('site/layout.tsx', { id: 'auth-layout' }, [route('auth', 'account/sign-in/auth.tsx')]),
  route('auth/external', 'account/sign-in/external-start.ts'),
  route('captcha/challenge', 'shield/challenge.tsx'),
  route('loading', 'shield/loading.tsx'),
  route('s/:shareId/*', 'share/share.tsx'),
  route('sitemap.xml', 'site/sitemap.ts'),
  route('robots.txt', 'site/robots.ts'),
  route('share-target', 'pwa/share-target.ts'),

  route(':locale?', 'site/locale-gate.tsx', [
    layout('site/layout.tsx', [
      index('site/home/home.tsx'),
      route('drive/login', 'account/sign-in/sign-in.tsx'),
      route('drive/auth-center', 'account/oauth/auth-center.tsx'),
      route('device', 'account/oauth/device.tsx'),
      route('auth-success', 'account/oauth/auth-success.tsx'),
      route('sign-up', 'account/sign-up/sign-up.tsx'),
      route('url-checker', 'offline/links/url-checker.tsx'),
      route('faq', 'content/faq.tsx'),
      route('help', 'content/text-page.tsx', { id: 'help' }),
      route('tv-help', 'content/text-page.tsx', { id: 'tv-help' }),
      route('install-apk-troubleshooting', 'content/text-page.tsx', { id: 'install-apk-troubleshooting' }),
      route('check-in-guide', 'content/text-page.tsx', { id: 'check-in-guide' }),
      route('help-center', 'content/help-center.tsx'),
      route('help-center/*', 'content/help-article.tsx'),
      route('blog', 'content/blog.tsx'),
      route('blog/:slug', 'content/blog-post.tsx'),
      route('policy/update', 'content/policy-updates.tsx'),
      route('policy/:name/compare', 'content/policy-compare.tsx'),
      route('policy/:name/:version?', 'content/policy.tsx'),
      route('mobile-app', 'apps/mobile-app.tsx'),
      route('desktop-app', 'apps/desktop-app.tsx'),
      route('browser-extension', 'apps/browser-extension.tsx'),
      route('browser-extension/*', 'apps/browser-extension.tsx', { id: 'browser-extension-rest' }),
      route('tv', 'apps/tv.tsx'),
      route('favorite-links-hub', 'content/links-hub.tsx'),
      route('contact-us', 'contact/contact-us.tsx'),
      route('unsubscribe', 'account/unsubscribe.tsx'),
      route('check-in', 'membership/check-in.tsx'),
      route('activity/christmas', 'content/activity.tsx', { id: 'christmas' }),
      route('activity/compensation', 'content/activity.tsx', { id: 'compensation' }),
      route('activity/black-friday', 'content/activity.tsx', { id: 'black-friday' }),
      route('activity-end', 'content/activity-end.tsx'),
      route('setup/:token', 'account/sign-up/set-up.tsx'),
      route('forgot-password', 'account/sign-in/forgot-password.tsx'),
      route('reset-password', 'account/sign-in/reset-password.tsx'),
    ]),
    route('blog/feed.xml', 'content/blog-feed.ts'),
    route('manifest.webmanifest', 'pwa/manifest.ts'),
    route('offline', 'pwa/offline-page.ts'),
    route('sign-out', 'account/sign-in/sign-out.tsx'),
    layout('account/account-layout.tsx', [
      layout('account/account-pages.tsx', [
        route('drive/account', 'account/profile/profile.tsx'),
        route('drive/account/security', 'account/security/security.tsx'),
        route('drive/account/apps', 'account/apps/apps.tsx'),
        route('drive/account/notifications', 'account/notifications.tsx'),
        route('drive/account/*', 'site/not-found.tsx', { id: 'no-account-page' }),
      ]),
    ]),
    layout('admin/admin-layout.tsx', [
      route('admin', 'admin/overview.tsx'),
      route('admin/people', 'admin/people.tsx'),
      route('admin/messages', 'admin/messages.tsx'),
    ]),
    route('drive', 'drive/index-redirect.tsx'),
    route('drive/feedback', 'contact/feedback.ts'),
    route('inapp/widget', 'drive/widget.tsx'),
    layout('drive/drive-layout.tsx', [
      layout('drive/drive-pages.tsx', [
        route('drive/all/:folderId?', 'drive/files.tsx'),
        route('drive/starred', 'drive/starred.tsx'),
        route('drive/shares', 'drive/shares.tsx'),
        route('drive/transfers', 'drive/transfers.tsx'),
        route('drive/transfers/subscriptions', 'drive/subscriptions.tsx'),
        route('drive/trash', 'drive/trash.tsx'),
        route('drive/storage', 'drive/storage.tsx'),
        route('inapp/shop', 'drive/shop.tsx'),
        route('referral', 'membership/referral.tsx'),
        route('drive/*', 'site/not-found.tsx', { id: 'no-drive-page' }),
      ]),
    ]),
  ]),

  route('*', 'site/not-found.tsx'),
]) satisfies RouteConfig;
