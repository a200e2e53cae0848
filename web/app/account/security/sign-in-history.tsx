import { useState } from 'react';
import type { SignIn } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { Setting, Settings } from '#app/page/settings.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';

const FIRST = 5;

/** Successful and failed sign-ins: the latest ones, and the others on request. */
export function SignInHistory({ signIns }: { signIns: readonly SignIn[] }) {
  const t = useT();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? signIns : signIns.slice(0, FIRST);
  return (
    <Settings title={t('security.history.title')} text={t('security.history.text')}>
      {signIns.length === 0 && <Setting label={t('security.history.empty')} />}
      {shown.map(({ id, way, outcome, device, address, at }) => (
        <Setting
          key={id}
          label={
            <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              {t(`security.way.${way}`)}
              {outcome === 'refused' && <Badge tone="warning">{t('security.history.refused')}</Badge>}
            </span>
          }
          value={[device || t('security.sessions.unknown'), address].join(' · ')}
        >
          <span className="shrink-0 text-13 text-ink-2 tabular-nums">
            <DateTime at={at} />
          </span>
        </Setting>
      ))}
      {shown.length < signIns.length && (
        <div className="border-t border-line p-2">
          <Button variant="plain" className="w-full" onClick={() => setShowsAll(true)}>
            {t('security.history.more', { count: signIns.length })}
          </Button>
        </div>
      )}
    </Settings>
  );
}
