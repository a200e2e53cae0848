import { oauthApi, type ConnectedApp } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { NoSettings, Setting, Settings } from '#app/page/settings.tsx';
import { Avatar } from '#app/ui/avatar.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Dotted } from '#app/ui/dotted.tsx';
import { useEnding } from './use-ending.ts';

/** Apps that the member authorized, with their last use, and a button to revoke access. */
export function AppList({ apps }: { apps: readonly ConnectedApp[] }) {
  const t = useT();
  const call = useCall();
  const ending = useEnding(async ({ id, app: { name } }: ConnectedApp) => {
    await call(oauthApi.removeApp, { params: { id } });
    return t('oauth.apps.ended', { app: name });
  });

  return (
    <Settings title={t('oauth.apps.title')} text={t('oauth.apps.text')}>
      {apps.length === 0 && <NoSettings>{t('oauth.apps.none')}</NoSettings>}
      {apps.map((app) => (
        <AppLine key={app.id} connected={app} onEnd={() => ending.ask(app)} />
      ))}
      {ending.asked && (
        <ConfirmDialog
          {...ending.question}
          title={t('oauth.apps.endTitle', { app: ending.asked.app.name })}
          text={t('oauth.apps.endText')}
          confirmLabel={t('oauth.apps.end')}
        />
      )}
    </Settings>
  );
}

function AppLine({ connected, onEnd }: { connected: ConnectedApp; onEnd: () => void }) {
  const t = useT();
  const { app, scopes, created_at: since, used_at: used } = connected;
  const last =
    used === ''
      ? t('oauth.apps.unused')
      : t.rich('oauth.apps.used', { when: <DateTime at={used} as="relative" /> });
  return (
    <Setting
      icon={<Avatar name={app.name} size={32} />}
      label={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="mr-1">{app.name}</span>
          {scopes.map((scope) => (
            <Badge key={scope}>{t(`oauth.scopeName.${scope}`)}</Badge>
          ))}
        </span>
      }
      value={
        <Dotted facts={[last, t.rich('oauth.apps.since', { date: <DateTime at={since} as="date" /> })]} />
      }
    >
      <Button size="s" aria-label={t('oauth.apps.endLabel', { app: app.name })} onClick={onEnd}>
        {t('oauth.apps.end')}
      </Button>
    </Setting>
  );
}
