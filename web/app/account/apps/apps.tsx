import { useState } from 'react';
import { Plus } from 'lucide-react';
import { oauthApi, SCOPES, securityApi, type ApiCall, type Pass, type PassKind } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { textOf } from '#app/browser/form-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { NoSettings, Setting, Settings, SettingsTitle } from '#app/page/settings.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dotted } from '#app/ui/dotted.tsx';
import type { Route } from './+types/apps';
import { refused, type FormResult } from '../form/account-form.ts';
import { EndingDialog } from '../form/ending-dialog.tsx';
import { AppList } from './app-list.tsx';
import { PassDialog } from './pass-dialog.tsx';
import { PassSecret } from './pass-secret.tsx';

const REVOKE = 'revoke-pass';

export async function loader({ context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const [{ passes }, { apps }] = await Promise.all([
    call(securityApi.listPasses, {}),
    call(oauthApi.listApps, {}),
  ]);
  return { passes, apps };
}

/** Creates a pass, whose secret is only in the response and nowhere else; or revokes one. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const { call } = context.get(pageServices);
  try {
    return textOf(form, 'intent') === REVOKE ? await revoke(call, form) : await make(call, form);
  } catch (error) {
    return refused(error, form);
  }
}

async function make(call: ApiCall, form: FormData): Promise<FormResult> {
  const kind: PassKind = textOf(form, 'kind') === 'access_token' ? 'access_token' : 'app_password';
  const { secret } = await call(securityApi.createPass, {
    body: {
      kind,
      name: textOf(form, 'name'),
      scopes: SCOPES.filter((scope) => form.has(`scope-${scope}`)),
      days: Number(textOf(form, 'days')),
      password: textOf(form, 'password'),
    },
  });
  return { done: true, secret };
}

async function revoke(call: ApiCall, form: FormData): Promise<FormResult> {
  const body = { id: textOf(form, 'id'), password: textOf(form, 'password') };
  await call(securityApi.revokePass, { body });
  return { done: true };
}

/** Passes and apps with access to the account. */
export default function AppsPage({ loaderData: { passes, apps } }: Route.ComponentProps) {
  const t = useT();
  const [making, setMaking] = useState<PassKind>();
  const [made, setMade] = useState<{ kind: PassKind; secret: string }>();
  return (
    <>
      <PageTitle title={t('security.apps.title')} noIndex />
      <SettingsTitle text={t('security.apps.text')}>{t('security.apps.title')}</SettingsTitle>
      <AppList apps={apps} />
      {(['app_password', 'access_token'] as const).map((kind) => (
        <PassList
          key={kind}
          kind={kind}
          passes={passes.filter((pass) => pass.kind === kind)}
          onMake={() => setMaking(kind)}
        />
      ))}
      {making && (
        <PassDialog
          kind={making}
          onClose={() => setMaking(undefined)}
          onDone={({ secret }) => secret !== undefined && setMade({ kind: making, secret })}
        />
      )}
      {made && <PassSecret {...made} onClose={() => setMade(undefined)} />}
    </>
  );
}

interface PassListProps {
  readonly kind: PassKind;
  readonly passes: readonly Pass[];
  readonly onMake: () => void;
}

function PassList({ kind, passes, onMake }: PassListProps) {
  const t = useT();
  const [ending, setEnding] = useState<Pass>();

  return (
    <Settings
      title={t(`security.pass.${kind}s`)}
      text={t(`security.pass.${kind}Text`)}
      action={
        <Button size="s" icon={<Plus />} aria-label={t(`security.pass.${kind}New`)} onClick={onMake}>
          {t('security.pass.new')}
        </Button>
      }
    >
      {passes.length === 0 && <NoSettings>{t('security.pass.none')}</NoSettings>}
      {passes.map((pass) => (
        <PassLine key={pass.id} pass={pass} onEnd={() => setEnding(pass)} />
      ))}
      {ending && (
        <EndingDialog
          title={t('security.pass.endTitle', { name: ending.name })}
          text={t('security.pass.endText')}
          intent={REVOKE}
          id={ending.id}
          submit={t('security.pass.end')}
          done={t('security.pass.ended', { name: ending.name })}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Settings>
  );
}

function PassLine({ pass, onEnd }: { pass: Pass; onEnd: () => void }) {
  const t = useT();
  const used =
    pass.used_at === ''
      ? t('security.pass.unused')
      : t.rich('security.pass.used', {
          when: <DateTime at={pass.used_at} as="relative" />,
          address: pass.used_from,
        });
  const lasts =
    pass.expires_at === ''
      ? t('security.pass.forever')
      : t.rich('security.pass.until', { date: <DateTime at={pass.expires_at} as="date" /> });
  return (
    <Setting
      label={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="mr-1">{pass.name}</span>
          {pass.scopes.map((scope) => (
            <Badge key={scope}>{t(`security.scope.${scope}`)}</Badge>
          ))}
        </span>
      }
      value={<Dotted facts={[used, lasts]} />}
    >
      <Button size="s" aria-label={t('security.pass.endLabel', { name: pass.name })} onClick={onEnd}>
        {t('security.pass.end')}
      </Button>
    </Setting>
  );
}
