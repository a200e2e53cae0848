import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

export default [
  // These have no locale segment; one before them is taken away by the root's middleware.
  route('auth', 'account/auth.tsx'),
  route('s/:shareId/*', 'share/share.tsx'),
  route('sitemap.xml', 'site/sitemap.ts'),
  route('robots.txt', 'site/robots.ts'),

  route(':locale?', 'site/locale-gate.tsx', [
    layout('site/layout.tsx', [
      index('site/home.tsx'),
      route('drive/login', 'account/sign-in.tsx'),
      route('sign-up', 'account/sign-up.tsx'),
      route('url-checker', 'offline/url-checker.tsx'),
      route('setup/:token', 'account/set-up.tsx'),
      route('forgot-password', 'account/forgot-password.tsx'),
      route('reset-password', 'account/reset-password.tsx'),
    ]),
    route('sign-out', 'account/sign-out.tsx'),
    layout('account/account-layout.tsx', [
      route('drive/account', 'account/profile.tsx'),
      route('drive/account/security', 'account/security.tsx'),
      route('drive/account/apps', 'account/apps.tsx'),
    ]),
    route('drive', 'drive/index-redirect.tsx'),
    layout('drive/drive-layout.tsx', [
      route('drive/all/:folderId?', 'drive/files.tsx'),
      route('drive/starred', 'drive/starred.tsx'),
      route('drive/shares', 'drive/shares.tsx'),
      route('drive/transfers', 'drive/transfers.tsx'),
      route('drive/transfers/subscriptions', 'drive/subscriptions.tsx'),
      route('drive/trash', 'drive/trash.tsx'),
    ]),
  ]),

  route('*', 'site/not-found.tsx'),
] satisfies RouteConfig;
