import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { Plus } from 'lucide-react';
import { SCOPES, securityApi, type Pass, type PassKind } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { PageTitle } from '#app/ui/page-title.tsx';
import { toast } from '#app/ui/toast.tsx';
import { refused, textOf, type FormResult } from './account-form.ts';
import { PassDialog } from './pass-dialog.tsx';
import { PassSecret } from './pass-secret.tsx';
import { Setting, Settings, SettingsTitle } from './settings.tsx';
import type { Route } from './+types/apps';

export async function loader({ context }: Route.LoaderArgs) {
  return context.get(pageServices).call(securityApi.listPasses, {});
}

/** Makes one; its secret goes into the answer, and nowhere else. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const kind: PassKind = textOf(form, 'kind') === 'access_token' ? 'access_token' : 'app_password';
  try {
    const { secret } = await context.get(pageServices).call(securityApi.createPass, {
      body: {
        kind,
        name: textOf(form, 'name'),
        scopes: SCOPES.filter((scope) => form.has(`scope-${scope}`)),
        days: Number(textOf(form, 'days')),
        password: textOf(form, 'password'),
      },
    });
    return { done: true, secret } satisfies FormResult;
  } catch (error) {
    return refused(error, form);
  }
}

/** What programs come in with. */
export default function AppsPage({ loaderData: { passes } }: Route.ComponentProps) {
  const t = useT();
  const [making, setMaking] = useState<PassKind>();
  const [made, setMade] = useState<{ kind: PassKind; secret: string }>();
  return (
    <>
      <PageTitle title={t('security.apps.title')} noIndex />
      <SettingsTitle text={t('security.apps.text')}>{t('security.apps.title')}</SettingsTitle>
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
  const call = useCall();
  const errorText = useErrorText();
  const revalidator = useRevalidator();
  const [ending, setEnding] = useState<Pass>();
  const [busy, setBusy] = useState(false);

  const end = async ({ id, name }: Pass): Promise<void> => {
    setBusy(true);
    try {
      await call(securityApi.revokePass, { params: { id } });
      toast.show({ text: t('security.pass.ended', { name }) });
      await revalidator.revalidate();
    } catch (error) {
      toast.show({ text: errorText(error), tone: 'danger' });
    } finally {
      setBusy(false);
      setEnding(undefined);
    }
  };

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
      {passes.length === 0 && (
        <p className="border-t border-line px-5 py-4 text-13 text-ink-2 max-md:px-4">
          {t('security.pass.none')}
        </p>
      )}
      {passes.map((pass) => (
        <PassLine key={pass.id} pass={pass} onEnd={() => setEnding(pass)} />
      ))}
      {ending && (
        <ConfirmDialog
          isOpen
          onClose={() => setEnding(undefined)}
          title={t('security.pass.endTitle', { name: ending.name })}
          text={t('security.pass.endText')}
          confirmLabel={t('security.pass.end')}
          isDanger
          busy={busy}
          onConfirm={() => void end(ending)}
        />
      )}
    </Settings>
  );
}

function PassLine({ pass, onEnd }: { pass: Pass; onEnd: () => void }) {
  const t = useT();
  const format = useFormat();
  const used =
    pass.used_at === ''
      ? t('security.pass.unused')
      : t('security.pass.used', { when: format.relative(pass.used_at), address: pass.used_from });
  const lasts =
    pass.expires_at === ''
      ? t('security.pass.forever')
      : t('security.pass.until', { date: format.date(pass.expires_at) });
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
      value={`${used} · ${lasts}`}
    >
      <Button size="s" aria-label={t('security.pass.endLabel', { name: pass.name })} onClick={onEnd}>
        {t('security.pass.end')}
      </Button>
    </Setting>
  );
}
