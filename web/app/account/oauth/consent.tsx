import { AtSign, Fingerprint, FolderOpen, IdCard, Link2, UserRound } from 'lucide-react';
import type { Consent as Asked, GrantScope } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { Button } from '#app/ui/button.tsx';

const ICONS: Record<GrantScope, typeof UserRound> = {
  user: UserRound,
  pan: FolderOpen,
  offline: Link2,
  openid: Fingerprint,
  profile: IdCard,
  email: AtSign,
};

/** Requesting app, account, and the permissions that the app would get. */
export function Consent({ asks }: { asks: Asked }) {
  const t = useT();
  const { app, account, scopes, destination } = asks;
  return (
    <div className="grid gap-5">
      <div className="flex items-center gap-3 rounded-control border border-line px-3 py-2.5">
        <Avatar name={account.name} size={36} />
        <div className="min-w-0">
          <div className="truncate font-medium">{account.name}</div>
          <div className="truncate text-13 text-ink-2">{account.email}</div>
        </div>
      </div>
      <div>
        <h2 className="text-13 font-medium text-ink-2">{t('oauth.consent.may', { app: app.name })}</h2>
        <ul className="mt-2.5 grid gap-2.5">
          {scopes.map((scope) => {
            const Icon = ICONS[scope];
            return (
              <li key={scope} className="flex items-start gap-3">
                <Icon aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-ink-2" />
                <span>{t(`oauth.scope.${scope}`)}</span>
              </li>
            );
          })}
        </ul>
      </div>
      <div className="grid gap-1 border-t border-line pt-4 text-13 text-ink-2 [overflow-wrap:anywhere]">
        <p>{t(`oauth.standing.${app.standing}`, { app: app.name })}</p>
        {destination !== '' && (
          <p>
            {t(destination.endsWith(':') ? 'oauth.consent.toApp' : 'oauth.consent.toSite', { destination })}
          </p>
        )}
        <p>{t('oauth.consent.revocable')}</p>
      </div>
    </div>
  );
}

/** Allow and deny buttons; the surrounding form submits `decision`. */
export function Decision({ busy }: { busy: 'allow' | 'deny' | undefined }) {
  const t = useT();
  return (
    <div className="mt-6 grid grid-cols-2 gap-2.5">
      <Button type="submit" name="decision" value="deny" size="l" busy={busy === 'deny'}>
        {t('oauth.consent.deny')}
      </Button>
      <Button type="submit" name="decision" value="allow" variant="primary" size="l" busy={busy === 'allow'}>
        {t('oauth.consent.allow')}
      </Button>
    </div>
  );
}
