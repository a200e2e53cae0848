import { useEffect, useEffectEvent, useState } from 'react';
import { FolderOpen, Globe, Magnet, Search } from 'lucide-react';
import { Form, useNavigate, useNavigation, useSearchParams } from 'react-router';
import { said } from '#app/browser/page-query.ts';
import { leftToParent } from '#app/embedding/parent-frame.ts';
import { cardAnchorFor, disableMobilePlatformCardAnchor } from '#app/browser/platform.ts';
import { askToSignIn } from '#app/api/sign-in.ts';
import { useViewer } from '#app/api/viewer.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { LinkInput } from '#app/ui/form/link-input.tsx';
import { useFieldCheck } from '#app/ui/form/use-field-check.ts';
import { PlatformCards } from '#app/apps/platform-cards.tsx';
import { PublicHead } from '#app/page/public-head.tsx';
import type { Route } from './+types/url-checker';
import { FoundLink, placeToSave } from './found-link.tsx';
import { parseLinks, type ParsedLink } from './parse-links.ts';

export const handle = { layout: 'basic' };

export const middleware: Route.MiddlewareFunction[] = [disableMobilePlatformCardAnchor];

export function loader({ context, request }: Route.LoaderArgs) {
  return { cardAnchor: cardAnchorFor(request, context) };
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMessages('member')]);
  return answer;
}

/** The request is in the page's address; the server has no new data for it. */
export function shouldRevalidate() {
  return false;
}

/**
 * Link checker: paste a link, see its content, save it. Open to everybody; signed-out users sign in first, and it
 * continues by itself.
 */
export default function UrlChecker({ loaderData: { cardAnchor } }: Route.ComponentProps) {
  const t = useT();
  const { origin } = usePageFrame();
  const [query] = useSearchParams();
  const asked = said(query, 'url');
  const [link] = parseLinks(asked, origin).links;
  return (
    <>
      <PublicHead
        path="/url-checker"
        title={t('urlChecker.title')}
        description={t('urlChecker.description')}
      />
      <section className="mx-auto max-w-190 px-8 pt-12 pb-16 max-lg:px-5 max-md:pt-6 max-md:pb-12">
        <h1 className="text-40 font-[680] [overflow-wrap:anywhere] hyphens-auto">
          {t('urlChecker.heading')}
        </h1>
        <p className="mt-4 max-w-[38em] text-16 text-ink-2">{t('urlChecker.lead')}</p>
        <LinkForm key={asked} asked={asked} isUnreadable={asked.trim() !== '' && !link} />
        {link && <Checked key={link.key} link={link} />}
      </section>
      <Kinds />
      <div className="pt-16 max-md:pt-12">
        <PlatformCards title={t('apps.everywhere')} anchor={cardAnchor} />
      </div>
    </>
  );
}

function LinkForm({ asked, isUnreadable }: { asked: string; isUnreadable: boolean }) {
  const t = useT();
  const path = useLocalePath();
  const navigation = useNavigation();
  const { problem, checks } = useFieldCheck();
  const error = problem ?? (isUnreadable ? t('error.link_unsupported') : undefined);
  const isBusy = navigation.state !== 'idle' && navigation.location.pathname.endsWith('/url-checker');
  return (
    <Form method="get" action={path('/url-checker')} className="mt-8" preventScrollReset>
      <div className="flex gap-2 max-md:flex-col">
        <label htmlFor="checked-url" className="sr-only">
          {t('urlChecker.field')}
        </label>
        <LinkInput
          {...checks}
          id="checked-url"
          defaultValue={asked}
          placeholder={t('urlChecker.placeholder')}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : 'checked-url-error'}
          className="md:w-auto md:flex-1"
        />
        <Button type="submit" variant="primary" size="l" icon={<Search />} busy={isBusy} className="h-12!">
          {t('urlChecker.check')}
        </Button>
      </div>
      {error !== undefined && (
        <p id="checked-url-error" role="alert" className="mt-2 text-13 text-danger">
          {error}
        </p>
      )}
    </Form>
  );
}

/** Result of the inspection, with a button to save it to the drive. */
function Checked({ link }: { link: ParsedLink }) {
  const navigate = useNavigate();
  const path = useLocalePath();
  const viewer = useViewer();
  const [query, setQuery] = useSearchParams();
  const [isAsking, setAsking] = useState(false);
  const place = placeToSave(link);
  const forget = (): void =>
    setQuery({ url: said(query, 'url') }, { replace: true, preventScrollReset: true });
  const isWanted = query.get('save') === '1';
  const keep = useEffectEvent(() => {
    if (leftToParent(new URL(place, location.origin))) forget();
    else void navigate(path(place), { replace: true });
  });
  useEffect(() => {
    if (viewer && isWanted) keep();
  }, [viewer, isWanted]);

  const signInAndSave = (): void => {
    // The address keeps the purpose, even while the user signs up on another page.
    setAsking(true);
    setQuery({ url: said(query, 'url'), save: '1' }, { replace: true, preventScrollReset: true });
    void askToSignIn().then((isSignedIn) => {
      setAsking(false);
      if (!isSignedIn) forget();
    });
  };
  return (
    <FoundLink link={link} save={viewer ? { href: place } : { busy: isAsking, onClick: signInAndSave }} />
  );
}

const KINDS = [
  ['web', Globe],
  ['torrent', Magnet],
  ['share', FolderOpen],
] as const;
const QUESTIONS = ['refused', 'page', 'away', 'private'] as const;

/** Supported kinds of links, and frequent questions about them. */
function Kinds() {
  const t = useT();
  return (
    <section className="border-t border-line bg-sunken py-16 max-md:py-12">
      <div className="mx-auto max-w-300 px-8 max-lg:px-5">
        <h2 className="text-28 font-[650]">{t('urlChecker.kinds.title')}</h2>
        <ul className="mt-6 grid gap-4 md:grid-cols-3">
          {KINDS.map(([kind, Icon]) => (
            <li key={kind} className="rounded-card border border-line bg-card p-5">
              <Icon aria-hidden="true" className="text-blue" />
              <h3 className="mt-3 text-16 font-semibold">{t(`urlChecker.kinds.${kind}`)}</h3>
              <p className="mt-1.5 text-ink-2">{t(`urlChecker.kinds.${kind}Text`)}</p>
            </li>
          ))}
        </ul>
        <h2 className="mt-14 text-28 font-[650]">{t('urlChecker.questions.title')}</h2>
        <dl className="mt-6 grid gap-x-12 gap-y-6 md:grid-cols-2">
          {QUESTIONS.map((question) => (
            <div key={question}>
              <dt className="font-semibold">{t(`urlChecker.questions.${question}`)}</dt>
              <dd className="mt-1 text-ink-2">{t(`urlChecker.questions.${question}Text`)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
