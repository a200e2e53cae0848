import { useEffect } from 'react';
import { ChevronDown } from 'lucide-react';
import { useLocation } from 'react-router';
import { pageNotFound } from '#app/api/page-not-found.ts';
import { pageServices } from '#app/api/page-services.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { inlineJson } from '#app/page/inline-json.ts';
import { PublicHead } from '#app/page/public-head.tsx';
import type { Route } from './+types/faq';
import { ArticleBody } from './article.tsx';
import { articleAt, cardAt } from './render.server.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const { faq, help } = services.library.contents;
  if (faq.length === 0) throw pageNotFound(url.pathname);
  const groups = faq.map(({ group, questions }) => ({
    id: group,
    title: cardAt(services, `faq/${group}`).title,
    questions: questions.map((id) => ({ id, ...articleAt(services, `faq/${group}/${id}`, url.pathname) })),
  }));
  return { groups, hasHelp: help.length > 0 };
}

/** Questions with collapsible answers; the address of a question opens it, and printing opens all. */
export default function Faq({ loaderData: { groups, hasHelp } }: Route.ComponentProps) {
  const t = useT();
  useAskedQuestion();
  return (
    <>
      <PublicHead path="/faq" title={t('faq.title')} description={t('faq.lead')} />
      <section className="mx-auto max-w-190 px-8 pt-12 pb-24 max-lg:px-5 max-md:pt-6 max-md:pb-14">
        <h1 className="text-40 font-[680] [overflow-wrap:anywhere] hyphens-auto">{t('faq.title')}</h1>
        <p className="mt-4 max-w-[38em] text-16 text-ink-2">{t('faq.lead')}</p>
        {groups.map(({ id, title, questions }) => (
          <section key={id} aria-labelledby={`group-${id}`} className="mt-12">
            <h2 id={`group-${id}`} className="text-20 font-[650]">
              {title}
            </h2>
            <div className="mt-4 border-t border-line">
              {questions.map((question) => (
                <details
                  key={question.id}
                  id={question.id}
                  className="group border-b border-line unfolded-on-paper scroll-mt-6"
                >
                  <summary className="flex break-after-avoid items-center justify-between gap-4 rounded-small py-4 text-16 font-medium hover:text-blue-strong">
                    {question.title}
                    <ChevronDown
                      aria-hidden="true"
                      className="shrink-0 text-ink-3 transition-transform group-open:rotate-180 motion-reduce:transition-none print:hidden"
                    />
                  </summary>
                  <ArticleBody html={question.html} locale={question.locale} className="pb-6 text-ink-2" />
                </details>
              ))}
            </div>
          </section>
        ))}
        <p className="mt-12 text-ink-2 print:hidden">
          {hasHelp &&
            t.rich('faq.more', {
              help: (
                <LocaleLink to="/help-center" className="text-blue-strong underline underline-offset-3">
                  {t('help.title')}
                </LocaleLink>
              ),
            })}
        </p>
      </section>
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{ __html: structured(groups.flatMap(({ questions }) => questions)) }}
      />
    </>
  );
}

/** Structured data that search engines show with the result. */
const structured = (questions: readonly { title: string; html: string }[]): string =>
  inlineJson({
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: questions.map(({ title, html }) => ({
      '@type': 'Question',
      name: title,
      acceptedAnswer: { '@type': 'Answer', text: html },
    })),
  });

/**
 * Opens the question that the fragment names, also in the format of older addresses; only the browser knows
 * the fragment.
 */
function useAskedQuestion(): void {
  const { hash } = useLocation();
  useEffect(() => {
    const id = placeIn(hash).replace(/^(?:faq|q|question)[-_]/, '');
    const asked = id === '' ? null : document.getElementById(id);
    if (!(asked instanceof HTMLDetailsElement)) return;
    if (hash !== `#${id}`) history.replaceState(history.state, '', `#${id}`);
    asked.open = true;
    asked.scrollIntoView();
  }, [hash]);
}

/** Decoded fragment; unchanged if it isn't a valid escape ("#100%"). */
function placeIn(hash: string): string {
  const place = hash.slice(1);
  try {
    return decodeURIComponent(place);
  } catch {
    return place;
  }
}
