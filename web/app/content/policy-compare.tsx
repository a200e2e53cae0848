import { Form } from 'react-router';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import '#app/ui/markdown.css';
import type { Route } from './+types/policy-compare';
import { changesBetween, policies, policyNamed } from './policies.server.ts';
import { PolicyFrame } from './policy-frame.tsx';

export const handle = { layout: 'policy' };

export function loader({ context, params, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const all = policies(services);
  const policy = policyNamed(all, params.name, url.pathname);
  const dates = policy.versions.map(({ date }) => date);
  if (dates.length < 2) throw pageNotFound(url.pathname);
  const asked = (name: string, usual: string): string => {
    const date = url.searchParams.get(name) ?? '';
    return dates.includes(date) ? date : usual;
  };
  const [from, to] = [asked('from', dates[1]!), asked('to', dates[0]!)];
  return {
    policy,
    from,
    to,
    all,
    changes: changesBetween(services, { name: policy.name, from, to }, url.pathname),
  };
}

/** Two versions of a policy as one text, with removed and added paragraphs. */
export default function PolicyCompare({
  loaderData: { policy, from, to, all, changes },
}: Route.ComponentProps) {
  const t = useT();
  const format = useFormat();
  const path = useLocalePath();
  const choice = (name: 'from' | 'to', value: string) => (
    <label className="grid gap-1.5 text-13 font-medium">
      {t(`policy.${name}`)}
      <select key={value} name={name} defaultValue={value} className="field h-11! min-w-40 text-14!">
        {policy.versions.map(({ date }) => (
          <option key={date} value={date}>
            {format.date(date)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <PolicyFrame policies={all}>
      <PageTitle title={t('policy.compareTitle', { title: policy.title })} noIndex />
      <h1 className="text-28 font-[680] [overflow-wrap:anywhere]">
        {t('policy.compareTitle', { title: policy.title })}
      </h1>
      <Form
        method="get"
        action={path(`/policy/${policy.name}/compare`)}
        className="mt-6 flex flex-wrap items-end gap-3"
        preventScrollReset
      >
        {choice('from', from)}
        {choice('to', to)}
        <Button type="submit" className="h-11! print:hidden">
          {t('policy.show')}
        </Button>
      </Form>
      <div className="mt-8 grid gap-1">
        {changes.map(({ id, kind, html }) => (
          <Paragraph key={id} kind={kind} html={html} />
        ))}
      </div>
    </PolicyFrame>
  );
}

/**
 * Paragraph whose change isn't marked by color alone: removed text is struck through, and both kinds are
 * labeled.
 */
function Paragraph({ kind, html }: { kind: 'same' | 'out' | 'in'; html: string }) {
  const t = useT();
  const Tag = { same: 'div', out: 'del', in: 'ins' } as const;
  const Element = Tag[kind];
  return (
    <Element
      className={cx(
        'block border-s-3 py-1.5 ps-4 no-underline',
        {
          same: 'border-transparent text-ink-2',
          out: 'border-danger bg-danger-wash',
          in: 'border-success bg-success-wash',
        }[kind],
      )}
    >
      {kind !== 'same' && <span className="sr-only">{t(`policy.${kind}`)}</span>}
      <div
        className={cx('markdown', kind === 'out' && 'line-through decoration-danger/60')}
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </Element>
  );
}
