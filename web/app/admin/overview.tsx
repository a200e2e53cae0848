import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { adminApi, type ServiceState } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useFormat } from '#app/i18n/format.ts';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Setting, Settings, SettingsTitle } from '#app/page/settings.tsx';
import { Button } from '#app/ui/button.tsx';
import { Meter } from '#app/ui/meter.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import type { Route } from './+types/overview';

export async function loader({ context }: Route.LoaderArgs) {
  return context.get(pageServices).call(adminApi.service, {});
}

/** Configuration and health of the service, and the tasks waiting for its administrator. */
export default function Overview({ loaderData: state }: Route.ComponentProps) {
  const t = useT();
  return (
    <>
      <PageTitle title={t('admin.title')} noIndex />
      <SettingsTitle text={t('admin.text')}>{t('admin.title')}</SettingsTitle>
      <Waiting state={state} />
      <Address siteUrl={state.site_url} />
      <Mail mail={state.mail} />
      <Space space={state.space} />
      <Health state={state} />
    </>
  );
}

const mark = (isWell: boolean) =>
  isWell ? (
    <CircleCheck aria-hidden="true" className="text-success" />
  ) : (
    <CircleAlert aria-hidden="true" className="text-danger" />
  );

function Waiting({ state: { sign_up: signUp, people, messages } }: { state: ServiceState }) {
  const t = useT();
  return (
    <Settings title={t('admin.overview')}>
      <Setting label={t('admin.accounts', { count: people.all })} value={t(`admin.signUp.${signUp}`)}>
        <Button size="s" href="/admin/people">
          {t('admin.show')}
        </Button>
      </Setting>
      {(people.waiting > 0 || signUp === 'approval') && (
        <Setting label={t('admin.waiting', { count: people.waiting })}>
          {people.waiting > 0 && (
            <Button size="s" variant="primary" href="/admin/people?status=waiting">
              {t('admin.review')}
            </Button>
          )}
        </Setting>
      )}
      <Setting label={t('admin.reports', { count: messages.reports })}>
        {messages.reports > 0 && (
          <Button size="s" variant="primary" href="/admin/messages">
            {t('admin.review')}
          </Button>
        )}
      </Setting>
      <Setting label={t('admin.letters', { count: messages.others })}>
        {messages.others > 0 && (
          <Button size="s" href="/admin/messages?kind=other">
            {t('admin.show')}
          </Button>
        )}
      </Setting>
    </Settings>
  );
}

function Address({ siteUrl }: { siteUrl: string }) {
  const t = useT();
  const call = useCall();
  const { origin } = usePageFrame();
  const { data, isError } = useQuery({
    queryKey: ['admin', 'reach'],
    queryFn: () => call(adminApi.reach, {}),
    enabled: siteUrl !== '',
    staleTime: 60_000,
  });
  const isElsewhere = siteUrl !== '' && new URL(siteUrl).origin !== origin;
  const isReached = data?.reached === true;
  return (
    <Settings title={t('admin.address')}>
      {siteUrl === '' ? (
        <Setting icon={mark(false)} label={origin} value={t('admin.address.unset')} />
      ) : (
        <Setting
          {...(data || isError ? { icon: mark(isReached) } : {})}
          label={siteUrl}
          value={
            <span role="status">
              {isError || data?.reached === false
                ? t('admin.address.unreached')
                : isReached
                  ? t('admin.address.reached')
                  : t('admin.address.checking')}
            </span>
          }
        />
      )}
      {isElsewhere && (
        <Setting icon={mark(false)} label={t('admin.address.elsewhere', { address: origin })} />
      )}
    </Settings>
  );
}

function Mail({ mail }: { mail: ServiceState['mail'] }) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState('');
  const test = async (): Promise<void> => {
    setSending(true);
    setRefusal('');
    try {
      const { sent, to, reason } = await call(adminApi.testMail, {});
      if (sent) toast.show({ text: t('admin.mail.sent', { address: to }), tone: 'success' });
      else setRefusal(t('admin.mail.failed', { reason }));
    } catch (error) {
      setRefusal(errorText(error));
    }
    setSending(false);
  };
  return (
    <Settings title={t('admin.mail')}>
      <Setting
        icon={mark(mail.delivers)}
        label={mail.delivers ? t('admin.mail.on') : t('admin.mail.off')}
        value={mail.delivers ? t('admin.mail.from', { address: mail.from }) : t('admin.mail.offText')}
      >
        {mail.delivers && (
          <Button size="s" busy={isSending} onClick={() => void test()}>
            {t('admin.mail.test')}
          </Button>
        )}
      </Setting>
      {refusal !== '' && (
        <p role="alert" className="border-t border-line px-5 py-3 text-13 text-danger max-md:px-4">
          {refusal}
        </p>
      )}
    </Settings>
  );
}

function Space({ space }: { space: ServiceState['space'] }) {
  const t = useT();
  const format = useFormat();
  const used = Number(space.used) + Number(space.arriving);
  const isKnown = space.free !== '';
  const all = used + Number(space.free);
  const isLow = space.level !== 'ok';
  const rows = [
    ['admin.space.used', format.bytes(space.used)],
    ['admin.space.arriving', format.bytes(space.arriving)],
    ['admin.space.free', isKnown ? format.bytes(space.free) : t('admin.space.unknown')],
    ['admin.space.reserve', format.bytes(space.reserve)],
  ] as const;
  return (
    <Settings title={t('admin.space')}>
      {isKnown && all > 0 && (
        <div className="px-5 pb-4 max-md:px-4">
          <Meter value={used / all} label={t('admin.space')} tone={isLow ? 'danger' : 'blue'} />
        </div>
      )}
      {isLow && (
        <p role="status" className="px-5 pb-3 text-13 text-danger max-md:px-4">
          {t(space.level === 'full' ? 'admin.space.full' : 'admin.space.low')}
        </p>
      )}
      <dl className="num grid gap-y-2 border-t border-line px-5 py-3.5 max-md:px-4">
        {rows.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-4">
            <dt className="text-ink-2">{t(label)}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </Settings>
  );
}

function Health({ state: { health, version } }: { state: ServiceState }) {
  const t = useT();
  const isWorking = health.jobs_late === 0 && health.jobs_failing === 0;
  return (
    <Settings title={t('admin.health')}>
      <Setting
        icon={mark(health.database)}
        label={t('admin.health.database')}
        value={health.database ? t('admin.health.well') : t('admin.health.away')}
      />
      <Setting
        icon={mark(health.storage)}
        label={t('admin.health.storage')}
        value={health.storage ? t('admin.health.well') : t('admin.health.away')}
      />
      <Setting
        icon={mark(isWorking)}
        label={t('admin.health.jobs')}
        value={
          isWorking
            ? t('admin.health.jobsWell')
            : [
                health.jobs_late > 0 ? t('admin.health.jobsLate', { count: health.jobs_late }) : '',
                health.jobs_failing > 0 ? t('admin.health.jobsFailing', { count: health.jobs_failing }) : '',
              ]
                .filter((text) => text !== '')
                .join(' · ')
        }
      />
      <Setting label={t('admin.version')} value={version} />
    </Settings>
  );
}
